// The subcommands, one file each: command_NAME.cpp holds what the command line may say to it, and its work.
#pragma once

namespace reckon::driver {

class CommandLine;

// Each adds its command; if that is what the command line names, its work becomes CommandLine::chosen.
void define_init(CommandLine& line);
void define_doctor(CommandLine& line);
void define_check(CommandLine& line);
void define_run(CommandLine& line);
void define_r(CommandLine& line);
void define_confirm(CommandLine& line);
void define_plan(CommandLine& line);
void define_fleet(CommandLine& line);
void define_dump(CommandLine& line);
void define_pack(CommandLine& line);
void define_annotate(CommandLine& line);
void define_mine(CommandLine& line);
void define_compdb_linux(CommandLine& line);
void define_import_gir(CommandLine& line);
void define_spec_check(CommandLine& line);
void define_spec_show(CommandLine& line);
void define_spec_words(CommandLine& line);
void define_spec_unknown(CommandLine& line);
void define_list_checks(CommandLine& line);
void define_explain(CommandLine& line);
void define_diff(CommandLine& line);
void define_lsp(CommandLine& line);

}  // namespace reckon::driver

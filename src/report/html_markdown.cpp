#include "report/html_markdown.h"

#include <md4c.h>

#include "report/html_highlight.h"
#include "report/html_text.h"

namespace reckon::report {

namespace {

class Writer {
 public:
  std::string run(std::string_view text) {
    MD_PARSER parser{};
    parser.flags = MD_FLAG_NOHTML | MD_FLAG_TABLES;
    parser.enter_block = [](MD_BLOCKTYPE type, void* detail, void* self) { return of(self).block(type, detail, true); };
    parser.leave_block = [](MD_BLOCKTYPE type, void* detail, void* self) {
      return of(self).block(type, detail, false);
    };
    parser.enter_span = [](MD_SPANTYPE type, void*, void* self) { return of(self).span(type, true); };
    parser.leave_span = [](MD_SPANTYPE type, void*, void* self) { return of(self).span(type, false); };
    parser.text = [](MD_TEXTTYPE type, const MD_CHAR* text_at, MD_SIZE size, void* self) {
      return of(self).words(type, std::string_view(text_at, size));
    };
    md_parse(text.data(), static_cast<MD_SIZE>(text.size()), &parser, this);
    return std::move(out_);
  }

 private:
  static Writer& of(void* self) { return *static_cast<Writer*>(self); }

  void tag(const char* name, bool begins, const char* after) {
    out_ += begins ? "<" : "</";
    out_ += name;
    out_ += ">";
    out_ += after;
  }

  int block(MD_BLOCKTYPE type, void* detail, bool begins) {
    const char* line = begins ? "" : "\n";
    switch (type) {
      case MD_BLOCK_DOC:
      case MD_BLOCK_HTML: break;
      case MD_BLOCK_QUOTE: tag("blockquote", begins, "\n"); break;
      case MD_BLOCK_UL: tag("ul", begins, "\n"); break;
      case MD_BLOCK_OL: tag("ol", begins, "\n"); break;
      case MD_BLOCK_LI: tag("li", begins, line); break;
      case MD_BLOCK_HR:
        if (begins) out_ += "<hr>\n";
        break;
      case MD_BLOCK_H: tag(static_cast<MD_BLOCK_H_DETAIL*>(detail)->level == 1 ? "h1" : "h2", begins, line); break;
      case MD_BLOCK_CODE: code_block(begins); break;
      case MD_BLOCK_P: tag("p", begins, line); break;
      case MD_BLOCK_TABLE: tag("table", begins, "\n"); break;
      case MD_BLOCK_THEAD: tag("thead", begins, "\n"); break;
      case MD_BLOCK_TBODY: tag("tbody", begins, "\n"); break;
      case MD_BLOCK_TR: tag("tr", begins, line); break;
      case MD_BLOCK_TH: tag("th", begins, ""); break;
      case MD_BLOCK_TD: tag("td", begins, ""); break;
    }
    return 0;
  }

  void code_block(bool begins) {
    in_code_block_ = begins;
    if (begins) return;
    out_ += "<pre tabindex=\"0\"><code>";  // wide code scrolls, by keyboard, too
    for (const std::string& line : highlight(code_)) out_ += line + "\n";
    out_ += "</code></pre>\n";
    code_.clear();
  }

  int span(MD_SPANTYPE type, bool begins) {
    if (type == MD_SPAN_EM) tag("em", begins, "");
    if (type == MD_SPAN_STRONG) tag("strong", begins, "");
    if (type == MD_SPAN_CODE) tag("code", begins, "");
    return 0;  // of a link or a picture its text is left
  }

  int words(MD_TEXTTYPE type, std::string_view text) {
    if (in_code_block_)
      code_ += text;
    else if (type == MD_TEXT_BR)
      out_ += "<br>\n";
    else if (type == MD_TEXT_SOFTBR)
      out_ += "\n";
    else if (type == MD_TEXT_NULLCHAR)
      out_ += "\xef\xbf\xbd";
    else if (type == MD_TEXT_ENTITY)
      out_ += text;  // &name; or &#number;, and nothing else
    else
      out_ += html_escape(text);
    return 0;
  }

  std::string out_, code_;
  bool in_code_block_ = false;
};

}  // namespace

std::string html_of_markdown(std::string_view text) { return Writer().run(text); }

}  // namespace reckon::report

// The page of a check: its Markdown turned into HTML. Only what those pages use: headings, paragraphs, lists,
// fenced code, inline code, emphasis and links (shown as text: the report stands alone).

#include "report/html_highlight.h"
#include "report/html_page.h"
#include "report/html_text.h"

namespace reckon::report {

namespace {

std::string inline_markup(std::string_view text) {
  std::string out;
  while (!text.empty()) {
    if (text[0] == '`') {
      const std::size_t close = text.find('`', 1);
      if (close != std::string_view::npos) {
        out += "<code>" + html_escape(text.substr(1, close - 1)) + "</code>";
        text.remove_prefix(close + 1);
        continue;
      }
    } else if (text.starts_with("**")) {
      const std::size_t close = text.find("**", 2);
      if (close != std::string_view::npos) {
        out += "<strong>" + inline_markup(text.substr(2, close - 2)) + "</strong>";
        text.remove_prefix(close + 2);
        continue;
      }
    } else if (text[0] == '*' && text.size() > 1 && text[1] != ' ') {
      const std::size_t close = text.find('*', 1);
      if (close != std::string_view::npos) {
        out += "<em>" + inline_markup(text.substr(1, close - 1)) + "</em>";
        text.remove_prefix(close + 1);
        continue;
      }
    } else if (text[0] == '[') {
      const std::size_t middle = text.find("]("), close = text.find(')', middle == std::string_view::npos ? 0 : middle);
      if (middle != std::string_view::npos && close != std::string_view::npos) {
        out += inline_markup(text.substr(1, middle - 1));
        text.remove_prefix(close + 1);
        continue;
      }
    }
    const std::size_t next = std::min(text.size(), text.find_first_of("`*[", 1));
    out += html_escape(text.substr(0, next));
    text.remove_prefix(next);
  }
  return out;
}

class Markdown {
 public:
  std::string run(std::string_view text) {
    while (!text.empty()) {
      const std::size_t end = text.find('\n');
      line(text.substr(0, end));
      text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
    }
    if (fenced_) end_code();
    end_block();
    return std::move(out_);
  }

 private:
  void line(std::string_view l) {
    if (!l.empty() && l.back() == '\r') l.remove_suffix(1);
    if (l.starts_with("```")) {
      if (fenced_) {
        end_code();
      } else {
        end_block();
        fenced_ = true;
      }
      return;
    }
    if (fenced_) {
      code_ += std::string(l) + "\n";
      return;
    }
    if (l.empty()) return end_block();
    if (l[0] == '#') {
      const std::size_t level = l.find_first_not_of('#');
      if (level != std::string_view::npos && l[level] == ' ') {
        end_block();
        const std::string tag = level == 1 ? "h1" : "h2";
        out_ += "<" + tag + ">" + inline_markup(l.substr(level + 1)) + "</" + tag + ">\n";
        return;
      }
    }
    if (l.starts_with("- ") || l.starts_with("* ")) {
      if (!list_)
        end_block(), out_ += "<ul>\n", list_ = true;
      else
        end_paragraph();
      paragraph_ = l.substr(2);
      return;
    }
    const std::size_t text = l.find_first_not_of(' ');
    if (list_ && text == 0 && paragraph_.empty()) end_block();
    if (!paragraph_.empty()) paragraph_ += ' ';
    paragraph_ += l.substr(text == std::string_view::npos ? l.size() : text);
  }

  void end_paragraph() {
    if (paragraph_.empty()) return;
    out_ += (list_ ? "<li>" : "<p>") + inline_markup(paragraph_) + (list_ ? "</li>\n" : "</p>\n");
    paragraph_.clear();
  }
  void end_block() {
    end_paragraph();
    if (list_) out_ += "</ul>\n";
    list_ = false;
  }
  void end_code() {
    out_ += "<pre><code>";
    for (const std::string& l : highlight(code_)) out_ += l + "\n";
    out_ += "</code></pre>\n";
    code_.clear();
    fenced_ = false;
  }

  std::string out_, paragraph_, code_;
  bool list_ = false, fenced_ = false;
};

}  // namespace

std::string html_check_page(const Run& run, const CheckInfo& check) {
  std::string body = "<article class=\"prose\">";
  if (check.page.empty())
    body += "<h1>" + html_escape(check.id) + "</h1><p>" + html_message(check.summary) + "</p>";
  else
    body += Markdown().run(check.page);
  body += "<p><a href=\"../index.html#check=" + html_escape(check.id) + "\">Findings of this check</a></p></article>";
  HtmlPage page;
  page.title = html_escape(check.id) + " - Reckon";
  page.root = "../";
  page.nav = html_nav("../", "");
  page.body = std::move(body);
  return html_page(page, run);
}

}  // namespace reckon::report

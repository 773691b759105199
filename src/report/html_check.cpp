// The page of a check.
#include "report/html_markdown.h"
#include "report/html_page.h"
#include "report/html_text.h"

namespace reckon::report {

std::string html_check_page(const Run& run, const CheckInfo& check) {
  std::string body = "<article class=\"prose\">";
  if (check.page.empty())
    body += "<h1>" + html_escape(check.id) + "</h1><p>" + html_message(check.summary) + "</p>";
  else
    body += html_of_markdown(check.page);
  body += "<p><a href=\"../index.html#check=" + html_escape(check.id) + "\">Findings of this check</a></p></article>";
  HtmlPage page;
  page.title = html_escape(check.id) + " - Reckon";
  page.root = "../";
  page.nav = html_nav("../", "");
  page.body = std::move(body);
  return html_page(page, run);
}

}  // namespace reckon::report

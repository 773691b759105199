-- Neovim, headless: diagnostics of an opened file, an applied code action, a hover. Says "ok" or what went wrong.
local folder, reckon = vim.env.FOLDER, vim.env.RECKON
local waiting = 120000

local function main()
  vim.cmd("edit " .. folder .. "/m.c")
  local id = vim.lsp.start_client({ name = "reckon", cmd = { reckon, "lsp" }, root_dir = folder })
  vim.lsp.buf_attach_client(0, id)
  assert(vim.wait(waiting, function() return #vim.diagnostic.get(0) > 0 end, 20), "no diagnostics")
  local found = vim.diagnostic.get(0)[1]
  assert(found.source == "reckon" and found.message:find("this shows"), "diagnostic: " .. vim.inspect(found))

  local diagnostic = found.user_data.lsp
  assert(diagnostic.code == "python-leak", "code: " .. vim.inspect(diagnostic))
  local range = { start = { line = found.lnum, character = found.col },
                  ["end"] = { line = found.end_lnum, character = found.end_col } }
  local document = vim.lsp.util.make_text_document_params()
  local replies = assert(vim.lsp.buf_request_sync(0, "textDocument/codeAction",
    { textDocument = document, range = range, context = { diagnostics = {} } }, waiting), "no code actions")
  local action = replies[id].result[1]
  assert(action.isPreferred, "action: " .. vim.inspect(action))
  vim.lsp.util.apply_workspace_edit(action.edit, vim.lsp.get_client_by_id(id).offset_encoding)
  assert(vim.wait(waiting, function() return #vim.diagnostic.get(0) == 0 end, 20), "the repair leaves the finding")

  local line = vim.fn.search("PyLong_FromLong")
  replies = assert(vim.lsp.buf_request_sync(0, "textDocument/hover",
    { textDocument = document, position = { line = line - 1, character = vim.fn.col(".") - 1 } }, waiting), "no hover")
  assert(replies[id].result.contents.value:find("returns a new reference"), vim.inspect(replies[id]))
  vim.lsp.stop_client(id)
end

local good, problem = pcall(main)
io.stdout:write(good and "ok\n" or tostring(problem) .. "\n")
vim.cmd(good and "qa!" or "cq!")

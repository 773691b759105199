// Starts `reckon lsp` for C and C++ files. All that is shown comes from the server; here is only what the protocol
// leaves to the editor: settings, a command for the jump, and the reason of a suppression.
const vscode = require("vscode");
const { LanguageClient } = require("vscode-languageclient/node");

let client;

function settings() {
  return vscode.workspace.getConfiguration("reckon");
}

// The comment that suppresses holds only with a reason, so whoever picks the action is asked for it.
async function suppress(edit) {
  const reason = await vscode.window.showInputBox({ prompt: "Why is this finding to be left alone?" });
  if (!reason) return;
  const changed = new vscode.WorkspaceEdit();
  for (const [uri, edits] of edit.entries())
    for (const one of edits) changed.insert(uri, one.range.start, one.newText.replace(/ ?\n$/, " " + reason + "\n"));
  await vscode.workspace.applyEdit(changed);
}

const middleware = {
  async provideCodeActions(document, range, context, token, next) {
    const actions = (await next(document, range, context, token)) || [];
    for (const action of actions) {
      if (!action.edit || !action.title.startsWith("suppress ")) continue;
      action.title = action.title.replace(/ \(.*\)$/, "");
      action.command = { title: action.title, command: "reckon.suppress", arguments: [action.edit] };
      action.edit = undefined;
    }
    return actions;
  },
};

async function start() {
  const run = { command: settings().get("path"), args: ["lsp", ...settings().get("arguments")] };
  client = new LanguageClient("reckon", "Reckon", { run, debug: run }, {
    documentSelector: [{ scheme: "file", language: "c" }, { scheme: "file", language: "cpp" }],
    initializationOptions: { pause: settings().get("pause") },
    middleware,
  });
  await client.start();
}

async function goToOtherEnd() {
  await vscode.commands.executeCommand("editor.action.goToImplementation");
}

async function restart() {
  if (client) await client.stop();
  await start();
}

async function activate(context) {
  context.subscriptions.push(
    vscode.commands.registerCommand("reckon.suppress", suppress),
    vscode.commands.registerCommand("reckon.goToOtherEnd", goToOtherEnd),
    vscode.commands.registerCommand("reckon.restart", restart),
  );
  await start();
}

function deactivate() {
  return client ? client.stop() : undefined;
}

module.exports = { activate, deactivate };

// A client made of npm's vscode-languageserver-protocol: what it parses and checks is what VS Code reads.
const { spawn } = require("child_process");
const fs = require("fs");
const path = require("path");
const rpc = require("vscode-languageserver-protocol/node");

const folder = process.env.FOLDER;
const file = path.join(folder, "m.c");
const uri = "file://" + file;
const server = spawn(process.env.RECKON, ["lsp"], { cwd: folder, stdio: ["pipe", "pipe", "ignore"] });
const connection = rpc.createProtocolConnection(
  new rpc.StreamMessageReader(server.stdout), new rpc.StreamMessageWriter(server.stdin));

function expect(what, value) {
  if (!what) throw new Error(JSON.stringify(value));
}

async function main() {
  const published = new Promise((done) =>
    connection.onNotification(rpc.PublishDiagnosticsNotification.type, (params) => params.uri === uri && done(params)));
  connection.listen();
  const { capabilities } = await connection.sendRequest(rpc.InitializeRequest.type, {
    processId: process.pid, rootUri: "file://" + folder, workspaceFolders: null,
    capabilities: { textDocument: { publishDiagnostics: { relatedInformation: true } } } });
  expect(capabilities.hoverProvider && capabilities.codeLensProvider, capabilities);
  connection.sendNotification(rpc.InitializedNotification.type, {});
  connection.sendNotification(rpc.DidOpenTextDocumentNotification.type, {
    textDocument: { uri, languageId: "c", version: 1, text: fs.readFileSync(file, "utf8") } });
  const { diagnostics } = await published;
  expect(diagnostics.length === 1 && rpc.Diagnostic.is(diagnostics[0]), diagnostics);
  expect(diagnostics[0].relatedInformation.every(rpc.DiagnosticRelatedInformation.is), diagnostics);
  const actions = await connection.sendRequest(rpc.CodeActionRequest.type, {
    textDocument: { uri }, range: diagnostics[0].range, context: { diagnostics } });
  expect(actions.length >= 2 && actions.every(rpc.CodeAction.is), actions);
  const lenses = await connection.sendRequest(rpc.CodeLensRequest.type, { textDocument: { uri } });
  expect(lenses.every(rpc.CodeLens.is), lenses);
  const hover = await connection.sendRequest(rpc.HoverRequest.type, {
    textDocument: { uri }, position: { line: 5, character: 20 } });
  expect(rpc.Hover.is(hover) && rpc.MarkupContent.is(hover.contents), hover);
  await connection.sendRequest(rpc.ShutdownRequest.type);
  connection.sendNotification(rpc.ExitNotification.type);
}

main().then(() => { console.log("ok"); process.exit(0); },
            (problem) => { console.log(String(problem)); process.exit(1); });

// Takes the pictures of docs/editor.md: VS Code, as code-server serves it, under a headless Chromium.
//
// Usage: node screenshots.js ADDRESS FOLDER OUTPUT
//
// Before: npm install --ignore-scripts code-server@4.99 playwright-core (node 20), in lib/vscode and lib/vscode/extensions
// of code-server npm install --ignore-scripts --omit=dev, and npm rebuild of @vscode/spdlog, native-watchdog,
// @parcel/watcher, node-pty and argon2. Then start code-server with --auth none --disable-workspace-trust, install the
// .vsix with --install-extension, and copy examples/spam with a compilation database to FOLDER.
const { chromium } = require("playwright-core");

const FLAGS = ["--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking",
  "--disable-component-update", "--disable-sync"];

async function main(address, folder, output) {
  const browser = await chromium.launch({ executablePath: process.env.CHROMIUM || "/usr/bin/chromium", args: FLAGS });
  const page = await browser.newPage({ viewport: { width: 1100, height: 620 } });
  page.setDefaultTimeout(240000);
  const wait = (ms) => page.waitForTimeout(ms);
  const press = async (...keys) => {
    for (const key of keys) await page.keyboard.press(key), await wait(1200);
  };
  const go = async (line, column) => {
    await press("Control+g");
    await page.keyboard.type(`:${line}:${column}`);
    await press("Enter");
  };
  const picture = async (name) => {
    await wait(2500);
    await page.screenshot({ path: `${output}/${name}.png` });
    console.log(name);
  };
  await page.goto(`${address}/?folder=${folder}`);
  await page.locator(".explorer-folders-view .monaco-list-row", { hasText: "spammodule.c" }).dblclick();
  await page.waitForSelector(".squiggly-error, .squiggly-warning", { state: "attached" });
  await press("Control+b");
  await press("Control+Shift+m");
  await picture("problems");
  await press("Control+Shift+m");
  await press("Control+1");
  await go(147, 15);
  await press("Control+k", "Control+i");
  await picture("hover");
  await press("Escape");
  await go(86, 12);
  await press("Control+.");
  await wait(6000);
  await picture("fixes");
  await browser.close();
}

main(...process.argv.slice(2)).catch((problem) => {
  console.error(problem);
  process.exit(1);
});

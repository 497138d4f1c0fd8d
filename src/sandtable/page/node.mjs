// Runs a Python program under Node in the Python of the page, with the archives that the page has and nothing else.
//   node node.mjs PYODIDE_FOLDER LIBRARY PROGRAM WORDS_AS_JSON ARCHIVE...
// The words are a list of lists: the program is run once with each, in one interpreter.
import { readFileSync } from 'node:fs';
import { pathToFileURL } from 'node:url';

// A whole line of Pyodide's source, which Node shows by itself, helps nobody.
process.on('uncaughtException', (error) => {
  console.error(String(error.stack ?? error).slice(0, 2000));
  process.exit(1);
});
const [folder, library, program, words, ...archives] = process.argv.slice(2);
const { loadPyodide } = await import(pathToFileURL(`${folder}/pyodide.mjs`).href);
const python = await loadPyodide({ indexURL: folder, stdLibURL: library, stdout: (line) => console.log(line) });
for (const archive of archives) python.unpackArchive(new Uint8Array(readFileSync(archive)), 'zip', { extractDir: '/lib/python3.14/site-packages' });
const source = readFileSync(program, 'utf8');
for (const argv of JSON.parse(words)) {
  python.globals.set('argv', python.toPy(argv));
  python.globals.set('source', source);
  python.runPython('import sys; sys.argv = ["plays", *argv]; exec(compile(source, "plays.py", "exec"), {"__name__": "__main__"})');
}

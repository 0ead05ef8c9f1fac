// Answers with the JavaScript reference: a JSON string a line in, {"ok": envelope} or {"kind", "line"} a line out.
import { createInterface } from 'node:readline'
import { pathToFileURL } from 'node:url'

const { parse } = await import(pathToFileURL(process.argv[2]))

function answer(text) {
  try {
    return { ok: parse(text) }
  } catch (error) {
    return { kind: error.kind ?? error.name, line: error.line ?? null }
  }
}

// Infinities, which JSON has not, become strings behind a NUL; strings that begin with one get another.
function written(key, value) {
  const marked = typeof value === 'number' ? !Number.isFinite(value) : typeof value === 'string' && value.startsWith('\0')
  return marked ? `\0${value}` : value
}

for await (const line of createInterface({ input: process.stdin })) {
  process.stdout.write(JSON.stringify(answer(JSON.parse(line)), written) + '\n')
}

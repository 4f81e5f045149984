import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'

// Plain words, checked in comments, identifiers, docs, titles and messages (CONTRIBUTING.md, "Write plainly").

const plainWord: Record<string, string> = {
  told: 'reported, stated, known',
  tell: 'report, show, distinguish',
  tells: 'reports, shows, distinguishes',
  held: 'stored, quarantined, reserved, locked',
  whoever: 'the caller, the worker, the register',
  bear: 'have',
  bears: 'has',
  borne: 'had',
}

/** Names in requests, answers, output and the database, which cannot change. */
const wireNames: { name: RegExp; paths?: RegExp; why: string }[] = [
  { name: /(['"`])held\1/g, why: 'truth_state, and the status of a sync or a snapshot' },
  { name: /\bheld_[a-z_]+|\b[a-z_]+_held\b/g, why: 'columns, members of answers, and a metric' },
  {
    name: /\bheld\??:|[.?]held\b/g,
    paths:
      /^(src\/(registers\/|cli\/register|verify\/replay\.ts|instance\/|pages\/components\/source-state\.ts)|test\/official-sites\/)/,
    why: 'members of `register list --json` and `verify --json`, and the coverage state',
  },
  {
    name: /\btold\b/g,
    paths: /^src\/features\/domains\/[a-z-]+-store\.ts$/,
    why: 'the column domain_listings.told',
  },
  {
    name: /\btells(?=:|`)|\.tells\b/g,
    paths: /^src\/registers\/apply\//,
    why: 'a key of journal entries, which are stored',
  },
]

const lineLengthMax = 110
const commentLinesMax = 3
const headerLinesMax = 8

/** Generated or foreign files, word lists, this file, and the record of past releases. */
const exempt = [
  /^(openapi|package-lock)\.json$/,
  /\.example\.json$/,
  /^src\/database\/tables\.ts$/,
  /^clients\/typescript\/src\/(api|error-codes)\.ts$/,
  /^test\/plain-words\.test\.ts$/,
  /^test\/observation-pages\//,
  /^demo\/.*\.(ndjson|svg|txt|csv)$/,
]
/** Word lists and patterns, and tests that quote lines of registers as published. */
const longLines = [
  /^src\/features\/people\/.*(titles?|roles?|words?|deputies).*\.ts$/,
  /^src\/registers\/(described|streams)\/.*\.test\.ts$/,
  /^src\/core\/markets\.test\.ts$/,
  /^src\/http\/docs\/page\.ts$/, // a style sheet, whose hash is sent
  /^src\/http\/docs\/llms-text\.ts$/, // text as it is served
]

/** Imports, URLs and regular expressions. */
const unsplittable = /^\s*(import|export) |https?:\/\/|^\s*\/.+\/[a-z]*,?$/

type Line = { path: string; number: number; text: string }

const paths = execFileSync('git', ['ls-files', '-z'], { encoding: 'utf8' })
  .split('\0')
  .filter(path => /\.(ts|js|md|json|yaml)$/.test(path) && !exempt.some(pattern => pattern.test(path)))
const files = paths.map(path => ({ path, lines: readFileSync(path, 'utf8').split('\n') }))
const code = files.filter(({ path }) => /\.(ts|js)$/.test(path))
const lines: Line[] = files.flatMap(({ path, lines }) =>
  lines.map((text, index) => ({ path, number: index + 1, text })),
)

/** camelCase in words, so that each part of an identifier counts. */
const wordsOf = ({ path, text }: Line): string[] =>
  wireNames
    .filter(({ paths = /./ }) => paths.test(path))
    .reduce((rest, { name }) => rest.replaceAll(name, ''), text)
    .replaceAll(/([a-z0-9])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .match(/[a-z]+/g) ?? []

test('words are plain', () => {
  const wrong = lines.flatMap(line =>
    wordsOf(line)
      .filter(word => Object.hasOwn(plainWord, word))
      .map(word => `${line.path}:${line.number}: "${word}" is ambiguous; write ${plainWord[word]}.`),
  )
  expect(wrong).toEqual([])
})

test(`lines have at most ${lineLengthMax} characters`, () => {
  const wrong = lines
    .filter(({ path }) => /\.(ts|js)$/.test(path) && !longLines.some(pattern => pattern.test(path)))
    .filter(({ text }) => text.length > lineLengthMax && !unsplittable.test(text))
    .map(({ path, number, text }) => `${path}:${number}: ${text.length} characters; split the line.`)
  expect(wrong).toEqual([])
})

test(`comments have at most ${commentLinesMax} lines, headers and JSDoc of exports ${headerLinesMax}`, () => {
  const wrong = code.flatMap(({ path, lines }) =>
    comments(lines)
      .filter(({ count, max }) => count > max)
      .map(({ number, count, max }) => `${path}:${number}: a comment of ${count} lines; use at most ${max}.`),
  )
  expect(wrong).toEqual([])
})

type Comment = { number: number; count: number; max: number }

function comments(lines: readonly string[]): Comment[] {
  const found: Comment[] = []
  for (let start = 0; start < lines.length; start++) {
    const end = endOfComment(lines, start)
    if (end === start) continue
    const text = lines.slice(start, end).filter(line => !/^\s*(\/\*\*?|\*\/)\s*$/.test(line))
    const max = isHeader(lines, start) || isExported(lines[end]) ? headerLinesMax : commentLinesMax
    found.push({ number: start + 1, count: text.length, max })
    start = end
  }
  return found
}

/** The line after the comment that starts here; the same line when none does. */
function endOfComment(lines: readonly string[], start: number): number {
  let end = start
  if (/^\s*\/\//.test(lines[start] ?? '')) {
    while (/^\s*\/\//.test(lines[end] ?? '')) end += 1
  } else if (/^\s*\/\*/.test(lines[start] ?? '')) {
    while (!(lines[end] ?? '*/').includes('*/')) end += 1
    end += 1
  }
  return end
}

/** Nothing but imports and comments comes before it. */
const isHeader = (lines: readonly string[], start: number): boolean =>
  lines.slice(0, start).every(line => line.trim() === '' || /^(import |\} from|\s|\/\/|\/\*)/.test(line))

/** A declaration with `export`, or a public member of a type or class. */
const isExported = (line = ''): boolean =>
  /^\s*(export|async |static |readonly |get |[a-zA-Z]+\??[(:<])/.test(line)

import { execFileSync, spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'

// Checks plain words in comments, identifiers, docs, titles and messages (CONTRIBUTING.md, "Write
// plainly").

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

/** Names in requests, answers and output, which cannot change. */
const wireNames: { name: RegExp; paths?: RegExp; why: string }[] = [
  { name: /(['"`])held\1/g, why: 'truth_state, and the status of a sync or a snapshot' },
  { name: /\bnone_held\b|\bbaize_registers_held\b/g, why: 'a reason in answers, and a metric' },
  {
    name: /\bheld\??:|[.?]held\b/g,
    paths:
      /^(src\/(registers\/|cli\/register|verify\/replay\.ts|instance\/|pages\/components\/badge\.ts)|test\/official-sites\/)/,
    why: 'members of `register list --json` and `verify --json`, and the coverage state',
  },
  { name: /\b(?:held|tell)\b/g, paths: /^packages\/site-reader\/rules\//, why: 'words of sites' },
]

const titleLengthMax = 60
/** First words of commit titles that say nothing about the change. */
const vagueVerbs = 'Bring Tell Say Let Expect Hold Give Bear Speak Walk Ask Look Leave Stand State'.split(' ')
/** Titles that are older than this check of titles. */
const knownTitles = [
  'Give names of http, pages and cli one meaning each',
  'Give the comments of bench, scripts and tests a subject',
  'Give the remaining test titles their subject',
  'Give titles of tests their subject',
]

const lineLengthMax = 110
const commentLinesMax = 3
const headerLinesMax = 8

/** Generated or foreign files, word lists and this file. */
const exempt = [
  /^(openapi|package-lock)\.json$/,
  /\.example\.json$/,
  /^src\/database\/tables\.ts$/,
  /^clients\/typescript\/src\/(api|error-codes)\.ts$/,
  /^test\/plain-words\.test\.ts$/,
  /^test\/(lobby|observation|scripted)-(pages|sites)\//,
  /^demo\/.*\.(ndjson|svg|txt|csv|sql)$/,
]
/** Word lists and patterns, and tests that quote lines of registers as published. */
const longLines = [
  /^src\/features\/people\/.*(titles?|roles?|words?|deputies).*\.ts$/,
  /^packages\/(registers|tables)\/.*\.test\.ts$/,
  /^packages\/names\/markets\.test\.ts$/,
  /^src\/pages\/assets\/verify-receipt\.js$/, // Generated.
  /^src\/http\/docs\/page\.ts$/, // The file has a style sheet, whose hash is sent.
]

/** Matches imports, URLs and regular expressions. */
const unsplittable = /^\s*(import|export) |https?:\/\/|^\s*\/.+\/[a-z]*,?$/

type Line = { path: string; number: number; text: string }

const paths = execFileSync('git', ['ls-files', '-z'], { encoding: 'utf8' })
  .split('\0')
  .filter(path => /\.(ts|js|md|json|yaml|sql)$/.test(path) && !exempt.some(pattern => pattern.test(path)))
const files = paths.map(path => ({ path, lines: readFileSync(path, 'utf8').split('\n') }))
const code = files.filter(({ path }) => /\.(ts|js)$/.test(path))
const lines: Line[] = files.flatMap(({ path, lines }) =>
  lines.map((text, index) => ({ path, number: index + 1, text })),
)

const git = (...args: string[]): string =>
  spawnSync('git', args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }).stdout.trim()

/**
 * Returns titles since the last release's tag, or else since the commit that added its heading to the
 * changelog. A shallow clone has fewer titles, or none.
 */
function titlesSinceRelease(): string[] {
  const release =
    git('describe', '--tags', '--abbrev=0', '--match=v[0-9]*') ||
    git('log', '-1', '--format=%H', '-G', '^## \\[?[0-9]', '--', 'CHANGELOG.md')
  if (release === '') return []
  const titles = git('log', '--no-merges', '--format=%s', `${release}..HEAD`).split('\n')
  return titles.filter(title => title !== '' && !knownTitles.includes(title))
}

/** Splits camelCase into words, so that each part of an identifier counts. */
const wordsOf = ({ path, text }: Line): string[] =>
  wireNames
    .filter(({ paths = /./ }) => paths.test(path))
    .reduce((rest, { name }) => rest.replaceAll(name, ''), text)
    .replaceAll(/([a-z0-9])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .match(/[a-z]+/g) ?? []

test('comments, identifiers, docs and titles have plain words', () => {
  const wrong = lines.flatMap(line =>
    wordsOf(line)
      .filter(word => Object.hasOwn(plainWord, word))
      .map(word => `${line.path}:${line.number}: "${word}" is ambiguous; write ${plainWord[word]}.`),
  )
  expect(wrong).toEqual([])
})

test('titles of commits since the release are short, start with a verb for the change, and are plain', () => {
  const wrong = titlesSinceRelease().flatMap(title => {
    const [first = ''] = title.split(' ')
    const words = wordsOf({ path: '', number: 0, text: title })
    return [
      title.length > titleLengthMax ? `${title.length} characters, at most ${titleLengthMax}` : [],
      vagueVerbs.includes(first) ? `"${first}": name what was done (Add, Fix, Move, Rename, Show)` : [],
      words.filter(word => Object.hasOwn(plainWord, word)).map(word => `"${word}": ${plainWord[word]}`),
    ]
      .flat()
      .map(why => `${title}: ${why}`)
  })
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

/** Returns the line after the comment that starts here, or the same line if there is none. */
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

/** Checks whether only imports and comments precede the line. */
const isHeader = (lines: readonly string[], start: number): boolean =>
  lines.slice(0, start).every(line => line.trim() === '' || /^(import |\} from|\s|\/\/|\/\*)/.test(line))

/** Checks for a declaration with `export`, or a public member of a type or class. */
const isExported = (line = ''): boolean =>
  /^\s*(export|async |static |readonly |get |[a-zA-Z]+\??[(:<])/.test(line)

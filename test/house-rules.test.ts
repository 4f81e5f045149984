import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join, relative, resolve, sep } from 'node:path'
import { expect, test } from 'vitest'

const source = resolve(import.meta.dirname, '../src')
const clientSource = resolve(import.meta.dirname, '../clients/typescript/src')
const packagesSource = resolve(import.meta.dirname, '../packages')
const fileLinesMax = 400
const generated = ['database/tables.ts', 'api.ts']

/** Rooms from which a room may import. `core` imports no other room, and every room may import `core`. */
const arrows: Record<string, string[]> = {
  main: ['cli', 'instance', 'config'],
  cli: [
    'instance',
    'dataset',
    'registers',
    'observation',
    'verify',
    'features',
    'jobs',
    'database',
    'config',
  ],
  instance: [
    'http',
    'jobs',
    'dataset',
    'registers',
    'observation',
    'features',
    'metering',
    'database',
    'config',
  ],
  http: ['catalogue', 'session-catalogue', 'pages', 'mcp', 'features', 'metering', 'database'],
  pages: ['features'],
  mcp: ['features', 'metering', 'database'],
  jobs: ['database'],
  verify: ['registers', 'observation', 'dataset', 'features', 'metering', 'journal', 'database'],
  dataset: ['features', 'journal', 'database'],
  registers: ['features', 'journal', 'database'],
  observation: ['features', 'journal', 'metering', 'jobs', 'database'],
  catalogue: ['features', 'database'],
  'session-catalogue': ['features', 'database'],
  features: ['metering', 'journal', 'database'],
  metering: ['database'],
  journal: ['database'],
  database: [],
  config: [],
  core: [],
}

/** Packages that a package may import. None imports the service. */
const packageArrows: Record<string, string[]> = {
  'embedded-postgres': [],
  'data-directory': ['files'],
  files: ['outbound'],
  'http-content': ['files'],
  images: ['names', 'threads'],
  'lobby-reader': ['names', 'renderer', 'site-reader', 'threads'],
  names: [],
  outbound: [],
  postgres: [],
  'site-reader': ['names', 'threads'],
  'register-fetcher': ['outbound', 'registers', 'renderer', 'tables'],
  'site-visitor': ['images', 'names', 'outbound', 'renderer', 'site-reader', 'threads'],
  threads: [],
  registers: ['names', 'tables', 'threads'],
  tables: ['names', 'threads'],
  terminal: ['names'],
  titles: ['names'],
}

type SourceFile = { path: string; room: string; text: string; imports: string[] }

const files = filesOf(source)
const clientFiles = filesOf(clientSource)
const packageFiles = filesOf(packagesSource)
const allFiles = [...files, ...clientFiles, ...packageFiles]

function filesOf(folder: string): SourceFile[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter(path => path.endsWith('.ts'))
    .map(path => {
      const text = readFileSync(join(folder, path), 'utf8')
      // Dynamic imports count, too.
      const imports = [...text.matchAll(/(?:from\s+|import\s+|import\(\s*)'([^']+)'/g)].map(
        match => match[1] as string,
      )
      return { path: path.split(sep).join('/'), room: roomOf(path), text, imports }
    })
}

const production = files.filter(file => !file.path.endsWith('.test.ts') && !file.path.endsWith('/fixture.ts'))

function roomOf(path: string): string {
  return (path.split(sep)[0] as string).replace(/\.ts$/, '')
}

function targetOf(file: SourceFile, imported: string): string | null {
  if (!imported.startsWith('.')) return null
  return relative(source, resolve(source, dirname(file.path), imported))
    .split(sep)
    .join('/')
}

test('rooms import only along the arrows of docs/map.md', () => {
  const wrong: string[] = []
  for (const file of production) {
    for (const imported of file.imports) {
      const target = targetOf(file, imported)
      if (target === null) continue
      const room = roomOf(target)
      if (room === file.room || room === 'core') continue
      if (!arrows[file.room]?.includes(room))
        wrong.push(`${file.path} imports ${target}: ${file.room} may not know ${room}`)
    }
  }
  expect(wrong).toEqual([])
})

test('packages import only packages below them, and nothing from src', () => {
  const wrong = packageFiles
    .filter(file => !file.path.endsWith('.test.ts') && !file.path.endsWith('/fixture.ts'))
    .flatMap(file =>
      file.imports
        .filter(imported => {
          const [, target] = /^@baize\/([^/]+)/.exec(imported) ?? []
          if (target !== undefined) return !packageArrows[file.room]?.includes(target)
          return (
            relative(file.room, join(dirname(file.path), imported)).startsWith('..') &&
            imported.startsWith('.')
          )
        })
        .map(imported => `packages/${file.path} imports ${imported}; see packageArrows`),
    )
  expect(wrong).toEqual([])
})

test('a feature is imported only through its index.ts', () => {
  const wrong = production.flatMap(file =>
    file.imports
      .map(imported => targetOf(file, imported))
      .filter(target => target !== null)
      .filter(target => /^features\/[^/]+\//.test(target) && !target.endsWith('/index.ts'))
      .filter(target => target.split('/')[1] !== file.path.split('/')[1])
      .map(target => `${file.path} reaches into ${target}; export what it needs from the feature's index.ts`),
  )
  expect(wrong).toEqual([])
})

test('SQL is only in *-store.ts, metering/ and database/', () => {
  const wrong = production
    .filter(file => !file.path.endsWith('-store.ts') && !['metering', 'database'].includes(file.room))
    .filter(file =>
      [
        /import \{[^}]*\bsql\b[^}]*\} from 'kysely'/,
        /\.(query|selectFrom|insertInto|updateTable|deleteFrom)\(/,
      ].some(pattern => pattern.test(file.text)),
    )
    .map(file => `${file.path} speaks SQL; move it to the noun's *-store.ts`)
  expect(wrong).toEqual([])
})

test('process.env is read only in config/', () => {
  const wrong = production
    .filter(file => file.room !== 'config' && /process\.env\b/.test(file.text))
    .map(file => `${file.path} reads process.env; take a setting from config/settings.ts`)
  expect(wrong).toEqual([])
})

/** This file connects to the operator's database, as the driver does. */
const databaseSocket = 'postgres/message-socket.ts'
/** This file listens on this machine for what Chromium must not send here. */
const tryOutSockets = 'renderer/try-out.ts'

test('only the package outbound opens sockets to other hosts', () => {
  const opens = /\bfetch\(|from 'node:(http|https|net|tls|dgram|dns)(\/promises)?'|from 'undici'|'nodemailer'/
  const opensNone = new RegExp(
    [
      "import type \\{[^}]*\\} from 'node:(net|http)'",
      "import \\{ (isIP|createServer)[^}]*\\} from 'node:net'",
      "import \\{ (METHODS|maxHeaderSize) \\} from 'node:http'",
    ].join('|'),
    'g',
  )
  const packaged = packageFiles.filter(
    file => file.room !== 'outbound' && !/(\.test|\/fixture)\.ts$/.test(file.path),
  )
  const wrong = [...production, ...packaged]
    .filter(file => ![databaseSocket, tryOutSockets].includes(file.path))
    .filter(file => opens.test(file.text.replaceAll(opensNone, '')))
    .map(file => `${file.path} could open a socket; go through the package outbound`)
  expect(wrong).toEqual([])
})

test('no file imports itself through other files, not even by types', () => {
  const targets = new Map(
    production.map(file => [file.path, file.imports.map(imported => targetOf(file, imported))]),
  )
  const done = new Set<string>()
  const circles: string[] = []
  const visit = (path: string, trail: readonly string[]): void => {
    const start = trail.indexOf(path)
    if (start >= 0) circles.push(`${[...trail.slice(start), path].join(' -> ')}: move what they share`)
    if (start >= 0 || done.has(path)) return
    for (const target of targets.get(path) ?? []) if (target !== null) visit(target, [...trail, path])
    done.add(path)
  }
  for (const path of targets.keys()) visit(path, [])
  expect(circles).toEqual([])
})

test('the client imports no package, nothing of the service, and Node only for its command', () => {
  const wrong = clientFiles.flatMap(({ path, imports }) =>
    imports
      .filter(imported => !/^\.\.?\/(?!\.\.)/.test(imported))
      .filter(imported => !(path.startsWith('command/') && imported.startsWith('node:')))
      .map(imported => `clients/typescript/src/${path} imports ${imported}; write what it needs there`),
  )
  expect(wrong).toEqual([])
})

test(`no file is longer than ${fileLinesMax} lines`, () => {
  const wrong = allFiles
    .map(file => ({ path: file.path, lines: file.text.split('\n').length }))
    .filter(file => file.lines > fileLinesMax && !generated.includes(file.path))
    .map(file => `${file.path} has ${file.lines} lines; what is its second noun?`)
  expect(wrong).toEqual([])
})

test('files and folders are named for their content', () => {
  const wrong = allFiles
    .map(file => file.path)
    .filter(path => /(^|\/)(utils?|helpers?|common|types|misc|shared)(\.ts|\/)/.test(path))
    .map(path => `${path} is a drawer; name it for what it holds`)
  expect(wrong).toEqual([])
})

test('executables have fewer than 60 lines', () => {
  const wrong = files
    .filter(file => file.room === 'main' && file.text.split('\n').length > 60)
    .map(file => file.path)
  expect(wrong).toEqual([])
})

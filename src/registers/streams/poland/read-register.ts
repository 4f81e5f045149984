/**
 * Streams the ministry's XML: `Rejestr / PozycjaRejestru` with the address, the time of entry and an
 * optional time of deletion, both in Warsaw time without a zone. Truncated files are refused.
 */
import { SaxesParser } from 'saxes'
import { readPublishedEntry } from '../../source/published-entry.ts'
import { notice, RecordKeys, reject } from '../../source/readings.ts'
import { localInstant } from '../../source/register-dates.ts'
import { readText } from '../../source/source-text.ts'
import { type Reading, Refusal, type SourceFile } from '../../stream.ts'

const timeZone = 'Europe/Warsaw'
const root = 'Rejestr'
const position = 'PozycjaRejestru'
const fields = ['AdresDomeny', 'DataWpisu', 'DataWykreslenia'] as const

type Position = { line: number } & Partial<Record<(typeof fields)[number], string>>

export async function* readPolishRegister(file: SourceFile): AsyncGenerator<Reading, void> {
  const keys = new RecordKeys()
  for await (const each of positions(file)) yield 'record' in each ? each : readPosition(each, keys)
}

/** `Lp` is only a running number. A name listed again after a deletion is a new record. */
function readPosition(found: Position, keys: RecordKeys): Reading {
  const published = found.AdresDomeny ?? ''
  const entry = readPublishedEntry(published)
  if (!entry.ok) return reject(entry.reason, found.line, published)
  const listedAt = localInstant(found.DataWpisu ?? '', timeZone)
  const deletion = found.DataWykreslenia?.trim() ?? ''
  const delistedAt = localInstant(deletion, timeZone)
  if (listedAt === null || (deletion !== '' && delistedAt === null))
    return reject('bad_date', found.line, published)
  const recordKey = `${entry.key}@${listedAt}`
  // Of two rows with different ends the sync stores the one still listed, in any file order.
  if (!keys.claim(`${recordKey}\n${delistedAt}`)) return reject('duplicate', found.line, published)
  const { scope, domain, key: listedAs } = entry
  const listed = deletion === ''
  return {
    record: 'blocklist_entry',
    recordKey,
    published: entry.published,
    scope,
    domain,
    listedAs,
    listedAt,
    delistedAt,
    listed,
  }
}

async function* positions(file: SourceFile): AsyncGenerator<Position | Reading, void> {
  const parser = new SaxesParser({ xmlns: true, position: true })
  const path: string[] = []
  const unknown = new Set<string>()
  let ready: (Position | Reading)[] = []
  let current: Position | null = null
  let text = ''

  parser.on('error', error => {
    throw new Refusal(`"${file.name}" is not complete XML: ${error.message}`)
  })
  parser.on('opentag', ({ local }) => {
    if (path.length === 0 && local !== root) {
      throw new Refusal(`"${file.name}": expected the root element "${root}", found "${local}"`)
    }
    path.push(local)
    text = ''
    if (path.length === 2 && local === position) current = { line: parser.line }
    else if (path.length > 1 && !isField(local) && !unknown.has(local)) {
      unknown.add(local)
      ready.push(notice('unknown element', local))
    }
  })
  parser.on('text', part => {
    text += part
  })
  parser.on('closetag', ({ local }) => {
    path.pop()
    if (current !== null && path.length === 2 && isField(local)) current[local] = text
    if (current !== null && path.length === 1) {
      ready.push(current)
      current = null
    }
  })

  for await (const piece of readText(file, { encoding: 'utf-8', markup: 'xml' })) {
    parser.write(piece)
    yield* ready
    ready = []
  }
  parser.close()
  yield* ready
}

const isField = (name: string): name is (typeof fields)[number] =>
  (fields as readonly string[]).includes(name)

/**
 * The ministry's file in both of its layouts. Until 2024 one row carries a site and, independently of it, a
 * payment account with dates of its own; since then a row is one blocked object. The same object has the same
 * record key in both: what it is, its canonical spelling, the day it was listed.
 */
import { readPublishedEntry } from '../../source/published-entry.ts'
import { boundedKey, reject, unusable } from '../../source/readings.ts'
import { dayFirstDate } from '../../source/register-dates.ts'
import { onlyFile } from '../../source/source-file.ts'
import { layoutOf, readTable, type TableForm } from '../../source/source-table.ts'
import type { BlocklistRow, EntryScope, Reading, Reject, RejectReason, SourceFile } from '../../stream.ts'

/** The names with diacritics prove the encoding: in any other one these columns are not found. */
const form: TableForm = { encoding: 'windows-1250', delimiter: ';' }

const layouts = {
  siteAndAccount: {
    site: { names: ['Adresa Internetové stránky'] },
    siteListed: { names: ['Datum zveřejnění údajů IS'] },
    siteDeleted: { names: ['Výmaz zveřejněných údajů IS'] },
    account: { names: ['Jedinečný identifikátor platebního účtu'] },
    accountListed: { names: ['Datum zveřejnění údajů PÚ'] },
    accountDeleted: { names: ['Výmaz zveřejněných údajů PÚ'] },
  },
  oneObject: {
    kind: { names: ['Objekt blokace'] },
    site: { names: ['Adresa internetové stránky'] },
    appName: { names: ['Název aplikace'] },
    app: { names: ['Identifikátor aplikace; umístění aplikace', 'Identifikátor aplikace'] },
    account: { names: ['Jedinečný identifikátor platebního účtu'] },
    grounds: { names: ['Důvody zápisu na Seznam'] },
    listed: { names: ['Datum zápisu a zveřejnění na Seznamu'] },
    deleted: { names: ['Datum výmazu a zveřejnění na Seznamu'] },
  },
} as const

type BlockedObject = {
  record: 'object'
  kind: 'site' | 'account' | 'app'
  line: number
  published: string
  listed: string
  deleted: string
}

type Entry = { line: number; identity: string; row: BlocklistRow }

/** The list is read whole first, some thousands of rows: which of two rows of one object is kept, only all of them tell. */
export async function* readCzechBlocklist(files: readonly SourceFile[]): AsyncGenerator<Reading, void> {
  const file = onlyFile(files)
  const objects =
    (await layoutOf(file, form, layouts)) === 'oneObject' ? singleObjects(file) : pairedObjects(file)
  const entries: Entry[] = []
  for await (const found of objects) {
    if (found.record !== 'object') {
      yield found
      continue
    }
    const read = readObject(found)
    if ('record' in read) yield read
    else entries.push(read)
  }
  // A second listing of what is still listed adds nothing, and the ministry drops such rows without a
  // deletion date. After a deletion it is a listing of its own.
  const standing = firstOf(
    entries.filter(entry => entry.row.listed),
    entry => entry.identity,
  )
  const kept = firstOf(
    entries.filter(entry => !entry.row.listed || standing.get(entry.identity) === entry),
    entry => entry.row.recordKey,
  )
  for (const entry of entries)
    yield kept.get(entry.row.recordKey) === entry
      ? entry.row
      : reject('duplicate', entry.line, entry.row.published)
}

function readObject(found: BlockedObject): Entry | Reject {
  const refuse = (reason: RejectReason) => reject(reason, found.line, found.published)
  const named = nameOf(found)
  // The day is part of the identity, and a deletion that cannot be read leaves open whether the object is
  // listed.
  const listedAt = dayFirstDate(found.listed)
  const delistedAt = dayFirstDate(found.deleted)
  const listed = found.deleted.trim() === ''
  if (!named.ok) return refuse(named.reason)
  if (listedAt === null || (!listed && delistedAt === null)) return refuse('bad_date')
  const { identity, scope, domain } = named
  const recordKey = `${identity}@${listedAt.slice(0, 10)}`
  const published = found.published.trim()
  const row = { record: 'blocklist_entry', recordKey, published, scope, domain } as const
  return { line: found.line, identity, row: { ...row, listedAt, delistedAt, listed } }
}

/** Of the entries of one key the one that is listed, then the earliest, wherever it stands. */
function firstOf(entries: readonly Entry[], keyOf: (entry: Entry) => string): Map<string, Entry> {
  const first = new Map<string, Entry>()
  const saying = ({ row }: Entry) =>
    [row.listed ? 0 : 1, row.listedAt, row.delistedAt, row.published].join(' ')
  for (const entry of entries) {
    const held = first.get(keyOf(entry))
    if (held === undefined || saying(entry) < saying(held)) first.set(keyOf(entry), entry)
  }
  return first
}

async function* pairedObjects(file: SourceFile): AsyncGenerator<Reading | BlockedObject, void> {
  for await (const row of readTable(file, form, layouts.siteAndAccount)) {
    if (row.kind !== 'row') {
      yield unusable(row)
      continue
    }
    const { line, cells } = row
    const hasAccount = cells.account.trim() !== ''
    // A row of an account alone has no site to miss.
    if (cells.site.trim() !== '' || !hasAccount) {
      const { site: published, siteListed: listed, siteDeleted: deleted } = cells
      yield { record: 'object', kind: 'site', line, published, listed, deleted }
    }
    if (hasAccount) {
      const { account: published, accountListed: listed, accountDeleted: deleted } = cells
      yield { record: 'object', kind: 'account', line, published, listed, deleted }
    }
  }
}

const printedKinds: Readonly<Record<string, BlockedObject['kind']>> = {
  'internetová stránka': 'site',
  'platební účet': 'account',
  aplikace: 'app',
}

async function* singleObjects(file: SourceFile): AsyncGenerator<Reading | BlockedObject, void> {
  for await (const row of readTable(file, form, layouts.oneObject)) {
    if (row.kind !== 'row') {
      yield unusable(row)
      continue
    }
    const { line, cells } = row
    const kind = printedKinds[cells.kind.trim().toLowerCase()]
    if (kind === undefined) yield reject('unparsable', line, Object.values(cells).join(';'))
    else
      yield {
        record: 'object',
        kind,
        line,
        published: cells[kind],
        listed: cells.listed,
        deleted: cells.deleted,
      }
  }
}

type Named =
  | { ok: true; identity: string; scope: EntryScope; domain: string | null }
  | { ok: false; reason: RejectReason }

/** Accounts are printed with and without blanks; an app is its id with the place it was offered at. */
function nameOf({ kind, published }: BlockedObject): Named {
  if (kind === 'site') {
    const entry = readPublishedEntry(published)
    if (!entry.ok) return entry
    return { ok: true, identity: `site:${entry.key}`, scope: entry.scope, domain: entry.domain }
  }
  const text = published.trim().replaceAll(/\s+/g, ' ')
  if (text === '') return { ok: false, reason: 'empty' }
  if (kind === 'app') return { ok: true, identity: boundedKey(`app:${text}`), scope: 'app', domain: null }
  const identity = boundedKey(`account:${text.replaceAll(' ', '').toUpperCase()}`)
  return { ok: true, identity, scope: 'payment_account', domain: null }
}

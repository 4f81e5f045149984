/**
 * Reads both layouts of the ministry's file. Until 2024 a row has a site and, independently, a payment
 * account with its own dates. In the later layout a row is one blocked object. The record key is the same
 * in both: kind, canonical spelling, day of listing.
 */
import {
  dayFirstDate,
  layoutOf,
  onlyFile,
  readDelimited,
  type SourceFile,
  type TableForm,
} from '@baize/tables'
import { readPublishedEntry } from '../../entries/published-entry.ts'
import { boundedRecordKey, reject, unusable } from '../../entries/readings.ts'
import type { BlocklistRow, Reading, Reject, RejectReason } from '../../stream.ts'

/** Diacritics in the headers prove the encoding: in a wrong one the columns are not found. */
const form: TableForm = { encoding: 'windows-1250', delimiter: ';' }

const layouts = {
  siteAndAccount: {
    site: { headers: ['Adresa Internetové stránky'] },
    siteListed: { headers: ['Datum zveřejnění údajů IS'] },
    siteDeleted: { headers: ['Výmaz zveřejněných údajů IS'] },
    account: { headers: ['Jedinečný identifikátor platebního účtu'] },
    accountListed: { headers: ['Datum zveřejnění údajů PÚ'] },
    accountDeleted: { headers: ['Výmaz zveřejněných údajů PÚ'] },
  },
  oneObject: {
    kind: { headers: ['Objekt blokace'] },
    site: { headers: ['Adresa internetové stránky'] },
    appName: { headers: ['Název aplikace'] },
    app: { headers: ['Identifikátor aplikace; umístění aplikace', 'Identifikátor aplikace'] },
    account: { headers: ['Jedinečný identifikátor platebního účtu'] },
    grounds: { headers: ['Důvody zápisu na Seznam'] },
    listed: { headers: ['Datum zápisu a zveřejnění na Seznamu'] },
    deleted: { headers: ['Datum výmazu a zveřejnění na Seznamu'] },
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

/** Reads the whole list of some thousand rows first, to choose between rows of one object. */
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
  // A second row of a listed object is a duplicate, which the ministry drops without a deletion date. After
  // a deletion it is a new listing.
  const current = firstOf(
    entries.filter(entry => entry.row.listed),
    entry => entry.identity,
  )
  const first = firstOf(
    entries.filter(entry => !entry.row.listed || current.get(entry.identity) === entry),
    entry => entry.row.recordKey,
  )
  for (const entry of entries)
    yield first.get(entry.row.recordKey) === entry
      ? entry.row
      : reject('duplicate', entry.line, entry.row.published)
}

function readObject(found: BlockedObject): Entry | Reject {
  const refuse = (reason: RejectReason) => reject(reason, found.line, found.published)
  const named = nameOf(found)
  // Both dates must be readable. The listing date is part of the key; the deletion date decides whether the
  // object is listed.
  const listedAt = dayFirstDate(found.listed)
  const delistedAt = dayFirstDate(found.deleted)
  const listed = found.deleted.trim() === ''
  if (!named.ok) return refuse(named.reason)
  if (listedAt === null || (!listed && delistedAt === null)) return refuse('bad_date')
  const { ok: _, identity, ...site } = named
  const recordKey = `${identity}@${listedAt.slice(0, 10)}`
  const published = found.published.trim()
  const row = { record: 'blocklist_entry', recordKey, published, ...site } as const
  return { line: found.line, identity, row: { ...row, listedAt, delistedAt, listed } }
}

function firstOf(entries: readonly Entry[], keyOf: (entry: Entry) => string): Map<string, Entry> {
  const first = new Map<string, Entry>()
  const contentOf = ({ row }: Entry) =>
    [row.listed ? 0 : 1, row.listedAt, row.delistedAt, row.published].join(' ')
  for (const entry of entries) {
    const other = first.get(keyOf(entry))
    if (other === undefined || contentOf(entry) < contentOf(other)) first.set(keyOf(entry), entry)
  }
  return first
}

async function* pairedObjects(file: SourceFile): AsyncGenerator<Reading | BlockedObject, void> {
  for await (const row of readDelimited(file, form, layouts.siteAndAccount)) {
    if (row.kind !== 'row') {
      yield unusable(row)
      continue
    }
    const { line, cells } = row
    const hasAccount = cells.account.trim() !== ''
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
  for await (const row of readDelimited(file, form, layouts.oneObject)) {
    if (row.kind !== 'row') {
      yield unusable(row)
      continue
    }
    const { line, cells } = row
    const kind = printedKinds[cells.kind.trim().toLowerCase()]
    if (kind === undefined) yield reject('unknown_kind', line, Object.values(cells).join(';'))
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
  | ({ ok: true; identity: string } & Pick<BlocklistRow, 'scope' | 'domain' | 'listedAs'>)
  | { ok: false; reason: RejectReason }

/**
 * Returns the name of an object. Accounts are printed with and without blanks; an app has an ID and a
 * store.
 */
function nameOf({ kind, published }: BlockedObject): Named {
  if (kind === 'site') {
    const entry = readPublishedEntry(published)
    if (!entry.ok) return entry
    const { scope, domain, key: listedAs } = entry
    return { ok: true, identity: `site:${listedAs}`, scope, domain, listedAs }
  }
  const text = published.trim().replaceAll(/\s+/g, ' ')
  if (text === '') return { ok: false, reason: 'empty' }
  const noSite = { domain: null, listedAs: null }
  if (kind === 'app') return { ok: true, identity: boundedRecordKey(`app:${text}`), scope: 'app', ...noSite }
  const identity = boundedRecordKey(`account:${text.replaceAll(' ', '').toUpperCase()}`)
  return { ok: true, identity, scope: 'payment_account', ...noSite }
}

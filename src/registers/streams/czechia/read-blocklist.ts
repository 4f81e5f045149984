/**
 * The ministry's file in both of its layouts. Until 2024 one row carries a site and, independently of it, a
 * payment account with dates of its own; since then a row is one blocked object. The same object has the same
 * record key in both: what it is, its canonical spelling, the day it was listed.
 */
import { readPublishedEntry } from '../../published-entry.ts'
import { boundedKey, RecordKeys, reject, unusable } from '../../readings.ts'
import { dayFirstDate } from '../../register-dates.ts'
import { onlyFile } from '../../source-file.ts'
import { layoutOf, readTable, type TableForm } from '../../source-table.ts'
import type { EntryScope, Reading, RejectReason, SourceFile } from '../../stream.ts'

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

export async function* readCzechBlocklist(files: readonly SourceFile[]): AsyncGenerator<Reading, void> {
  const file = onlyFile(files)
  const objects =
    (await layoutOf(file, form, layouts)) === 'oneObject' ? singleObjects(file) : pairedObjects(file)
  const keys = new RecordKeys()
  const standing = new RecordKeys()
  for await (const found of objects) {
    if (found.record !== 'object') {
      yield found
      continue
    }
    const refuse = (reason: RejectReason) => reject(reason, found.line, found.published)
    const named = nameOf(found)
    // The day is part of the identity, and a deletion that cannot be read leaves open whether the object is
    // listed.
    const listedAt = dayFirstDate(found.listed)
    const delistedAt = dayFirstDate(found.deleted)
    const listed = found.deleted.trim() === ''
    if (!named.ok) yield refuse(named.reason)
    else if (listedAt === null || (!listed && delistedAt === null)) yield refuse('bad_date')
    // A second listing of what is still listed adds nothing, and the ministry drops such rows without a
    // deletion date. After a deletion it is a listing of its own.
    else if (listed && !standing.claim(named.identity)) yield refuse('duplicate')
    else {
      const recordKey = `${named.identity}@${listedAt.slice(0, 10)}`
      const { scope, domain } = named
      const row = {
        record: 'blocklist_entry',
        recordKey,
        published: found.published.trim(),
        scope,
        domain,
      } as const
      yield keys.claim(recordKey) ? { ...row, listedAt, delistedAt, listed } : refuse('duplicate')
    }
  }
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

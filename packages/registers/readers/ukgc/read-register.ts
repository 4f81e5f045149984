/**
 * Reads one snapshot of the Gambling Commission's register and joins it in memory: about 2,700 accounts,
 * 4,500 licence rows and 10,000 domains, about 10 MB. The rows of a licence become one license; trading
 * names belong to a licensee. A domain row becomes a reject, or an authorisation for each remote licence of
 * its account.
 */

import { isoInstant, readDelimited, type SourceFile } from '@baize/tables'
import { compareStatuses } from '../../entries/license-status.ts'
import { mostCommonName } from '../../entries/most-common-name.ts'
import { boundedRecordKey, readingNotice, reject, unusable } from '../../entries/readings.ts'
import type { LicenseeRow, Reading } from '../../stream.ts'
import { combineLicence, isRemote, type LicenceLine, licenceKey, newestLine } from './combine-licence.ts'
import { type AccountLicences, readDomainNames } from './read-domain-names.ts'
import { accountOf, form, layouts, sortTables } from './tables.ts'

const accountPages = 'https://www.gamblingcommission.gov.uk/public-register/business/detail/'

type Accounts = Map<string, LicenseeRow>

export async function* readUkgcRegister(files: readonly SourceFile[]): AsyncGenerator<Reading, void> {
  const tables = await sortTables(files)
  const accounts: Accounts = new Map()
  yield* readBusinesses(tables.businesses, accounts)
  yield* readTradingNames(tables.tradingNames, accounts)
  yield* accounts.values()
  const licences: AccountLicences = new Map()
  yield* readLicences(tables.licences, accounts, licences)
  yield* readDomainNames(tables.domainNames, accounts, licences)
}

/** Reads accounts. An account with two rows has the same one of its names in any file order. */
async function* readBusinesses(file: SourceFile, accounts: Accounts): AsyncGenerator<Reading, void> {
  const names = new Map<string, string[]>()
  for await (const row of readDelimited(file, form, layouts.businesses)) {
    if (row.kind !== 'row') {
      yield unusable(row)
      continue
    }
    const recordKey = boundedRecordKey(accountOf(row.cells.account))
    const legalName = row.cells.name.trim()
    const known = accounts.has(recordKey)
    if (recordKey === '' || legalName === '') yield reject('empty', row.line, Object.values(row.cells).join())
    else if (!known) {
      accounts.set(recordKey, licenseeOf(recordKey, legalName))
      names.set(recordKey, [legalName])
    } else {
      names.get(recordKey)?.push(legalName)
      yield reject('duplicate', row.line, legalName)
    }
  }
  for (const [recordKey, licensee] of accounts)
    licensee.legalName = mostCommonName(names.get(recordKey) ?? [])
}

/** Leaves country and company number null, because the register has neither and many licensees are abroad. */
function licenseeOf(recordKey: string, legalName: string): LicenseeRow {
  const unpublished = { country: null, registrationNumber: null }
  return { record: 'licensee', recordKey, legalName, tradingNames: [], ...unpublished }
}

async function* readTradingNames(file: SourceFile, accounts: Accounts): AsyncGenerator<Reading, void> {
  for await (const row of readDelimited(file, form, layouts.tradingNames)) {
    if (row.kind !== 'row') {
      yield unusable(row)
      continue
    }
    const { account, name, status } = row.cells
    const licensee = accounts.get(boundedRecordKey(accountOf(account)))
    const tradingName = name.trim()
    if (licensee === undefined) yield reject('unknown_account', row.line, name)
    else if (tradingName === '') yield reject('empty', row.line, account)
    else if (status.trim().toLowerCase() === 'inactive')
      yield readingNotice('a trading name is inactive', tradingName)
    else if (licensee.tradingNames.includes(tradingName))
      yield readingNotice('a trading name is repeated', tradingName)
    else licensee.tradingNames.push(tradingName)
  }
}

type Claims = Map<string, { line: number; printed: LicenceLine }[]>

async function* readLicences(
  file: SourceFile,
  accounts: Accounts,
  licences: AccountLicences,
): AsyncGenerator<Reading, void> {
  const claimed = new Map<string, Claims>()
  for await (const row of readDelimited(file, form, layouts.licences)) {
    if (row.kind !== 'row') {
      yield unusable(row)
      continue
    }
    const { account: accountCell, ...cells } = row.cells
    const account = boundedRecordKey(accountOf(accountCell))
    const printed = { ...cells, number: cells.number.trim() }
    if (printed.number === '') yield reject('empty', row.line, Object.values(printed).join())
    else if (!accounts.has(account)) yield reject('unknown_account', row.line, printed.number)
    else claim(claimed, account, row.line, printed)
    for (const date of [printed.start, printed.end]) {
      if (date.trim() !== '' && isoInstant(date) === null)
        yield readingNotice(`unreadable date "${date}"`, printed.number)
    }
  }
  for (const [recordKey, claims] of claimed) {
    const [[account, own], ...others] = inOrder(claims)
    for (const { line, printed } of others.flatMap(([, rows]) => rows))
      yield reject('duplicate', line, printed.number)
    const lines = linesOf(own)
    const listed = licences.get(account) ?? { remote: [] }
    if (lines.some(line => isRemote(line.type))) listed.remote.push(recordKey)
    licences.set(account, listed)
    const sourceUrl = accountPages + encodeURIComponent(account)
    yield { record: 'license', recordKey, ...combineLicence(lines), licenseeKey: account, sourceUrl }
  }
}

function claim(claimed: Map<string, Claims>, account: string, line: number, printed: LicenceLine): void {
  const key = boundedRecordKey(licenceKey(printed.number))
  const claims: Claims = claimed.get(key) ?? new Map()
  claimed.set(key, claims)
  const rows = claims.get(account)
  if (rows === undefined) claims.set(account, [{ line, printed }])
  else rows.push({ line, printed })
}

type Claim = [account: string, rows: { line: number; printed: LicenceLine }[]]

const linesOf = (rows: Claim[1]) => rows.map(({ printed }) => printed)

/** Orders accounts that claim one licence: the newest version first, then the better status. */
function inOrder(claims: Claims): [Claim, ...Claim[]] {
  const sorted = [...claims].sort(([one, rows], [other, others]) => {
    const [lines, otherLines] = [linesOf(rows), linesOf(others)]
    return (
      newestLine(otherLines) - newestLine(lines) ||
      compareStatuses(combineLicence(lines).status, combineLicence(otherLines).status) ||
      Number(one > other) - Number(one < other)
    )
  })
  return sorted as [Claim, ...Claim[]]
}

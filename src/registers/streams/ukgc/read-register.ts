/**
 * Reads one snapshot of the Gambling Commission's register, joined in memory: about 2,700 accounts, 4,500
 * licence rows and 10,000 domains, some 10 MB. The rows of a licence become one license, trading names part
 * of a licensee. A domain row becomes a reject, or an authorisation for each remote licence of its account.
 */
import { compareStatuses } from '../../../core/license-status.ts'
import { mostCommonName } from '../../source/most-common-name.ts'
import { boundedKey, notice, reject, unusable } from '../../source/readings.ts'
import { isoInstant } from '../../source/register-dates.ts'
import { readTable } from '../../source/source-table.ts'
import type { LicenseeRow, Reading, SourceFile } from '../../stream.ts'
import { combineLicence, isRemote, type LicenceLine, licenceKey, newestOf } from './combine-licence.ts'
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

/** An account with two rows has one of its names, in any file order. */
async function* readBusinesses(file: SourceFile, accounts: Accounts): AsyncGenerator<Reading, void> {
  const names = new Map<string, string[]>()
  for await (const row of readTable(file, form, layouts.businesses)) {
    if (row.kind !== 'row') {
      yield unusable(row)
      continue
    }
    const recordKey = boundedKey(accountOf(row.cells.account))
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

/** The register has no country (many licensees are abroad) and no company number. */
function licenseeOf(recordKey: string, legalName: string): LicenseeRow {
  const unpublished = { country: null, registrationNumber: null }
  return { record: 'licensee', recordKey, legalName, tradingNames: [], ...unpublished }
}

async function* readTradingNames(file: SourceFile, accounts: Accounts): AsyncGenerator<Reading, void> {
  for await (const row of readTable(file, form, layouts.tradingNames)) {
    if (row.kind !== 'row') {
      yield unusable(row)
      continue
    }
    const { account, name, status } = row.cells
    const licensee = accounts.get(boundedKey(accountOf(account)))
    const tradingName = name.trim()
    if (licensee === undefined) yield reject('unknown_account', row.line, name)
    else if (tradingName === '') yield reject('empty', row.line, account)
    else if (status.trim().toLowerCase() !== 'inactive' && !licensee.tradingNames.includes(tradingName)) {
      licensee.tradingNames.push(tradingName)
    }
  }
}

type Claims = Map<string, { line: number; printed: LicenceLine }[]>

async function* readLicences(
  file: SourceFile,
  accounts: Accounts,
  licences: AccountLicences,
): AsyncGenerator<Reading, void> {
  const claimed = new Map<string, Claims>()
  for await (const row of readTable(file, form, layouts.licences)) {
    if (row.kind !== 'row') {
      yield unusable(row)
      continue
    }
    const { account: accountCell, ...cells } = row.cells
    const account = boundedKey(accountOf(accountCell))
    const printed = { ...cells, number: cells.number.trim() }
    if (printed.number === '') yield reject('empty', row.line, Object.values(printed).join())
    else if (!accounts.has(account)) yield reject('unknown_account', row.line, printed.number)
    else claim(claimed, account, row.line, printed)
    for (const date of [printed.start, printed.end]) {
      if (date.trim() !== '' && isoInstant(date) === null)
        yield notice(`unreadable date "${date}"`, printed.number)
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
  const key = boundedKey(licenceKey(printed.number))
  const claims: Claims = claimed.get(key) ?? new Map()
  claimed.set(key, claims)
  const rows = claims.get(account)
  if (rows === undefined) claims.set(account, [{ line, printed }])
  else rows.push({ line, printed })
}

type Claim = [account: string, rows: { line: number; printed: LicenceLine }[]]

const linesOf = (rows: Claim[1]) => rows.map(({ printed }) => printed)

/** Orders accounts that claim a licence: newest version first, then the better status. */
function inOrder(claims: Claims): [Claim, ...Claim[]] {
  const sorted = [...claims].sort(([one, rows], [other, others]) => {
    const [lines, otherLines] = [linesOf(rows), linesOf(others)]
    return (
      newestOf(otherLines) - newestOf(lines) ||
      compareStatuses(combineLicence(lines).status, combineLicence(otherLines).status) ||
      Number(one > other) - Number(one < other)
    )
  })
  return sorted as [Claim, ...Claim[]]
}

/**
 * One snapshot of the Gambling Commission's register. Unlike the other streams it is joined in memory: about
 * 2,700 accounts, 4,500 licence rows and 10,000 domains, some 10 MB.
 *
 * A licence's rows become one license and an account's trading names part of its licensee; every other row
 * ends as one reject, or as one authorisation for each remote licence of its account.
 */
import { boundedKey, notice, reject, unusable } from '../../readings.ts'
import { isoInstant } from '../../register-dates.ts'
import { readTable } from '../../source-table.ts'
import type { LicenseeRow, Reading, Reject, SourceFile } from '../../stream.ts'
import { isRemote, type LicenceLine, licenceKey, mergeLicence } from './merge-licence.ts'
import { type AccountLicences, readDomainNames } from './read-domain-names.ts'
import { accountOf, form, fourTables, layouts } from './tables.ts'

const accountPages = 'https://www.gamblingcommission.gov.uk/public-register/business/detail/'

type Accounts = Map<string, LicenseeRow>

export async function* readUkgcRegister(files: readonly SourceFile[]): AsyncGenerator<Reading, void> {
  const tables = await fourTables(files)
  const accounts: Accounts = new Map()
  yield* readBusinesses(tables.businesses, accounts)
  yield* readTradingNames(tables.tradingNames, accounts)
  yield* accounts.values()
  const licences: AccountLicences = new Map()
  yield* readLicences(tables.licences, accounts, licences)
  yield* readDomainNames(tables.domainNames, accounts, licences)
}

async function* readBusinesses(file: SourceFile, accounts: Accounts): AsyncGenerator<Reading, void> {
  for await (const row of readTable(file, form, layouts.businesses)) {
    if (row.kind !== 'row') {
      yield unusable(row)
      continue
    }
    const recordKey = boundedKey(accountOf(row.cells.account))
    const legalName = row.cells.name.trim()
    if (recordKey === '' || legalName === '') yield reject('empty', row.line, Object.values(row.cells).join())
    else if (accounts.has(recordKey)) yield reject('duplicate', row.line, legalName)
    else accounts.set(recordKey, licenseeOf(recordKey, legalName))
  }
}

/** The register gives no country, many of its licensees are abroad, and no number of a company register. */
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
    // An inactive name is one that the licensee no longer trades under.
    else if (status.trim().toLowerCase() !== 'inactive' && !licensee.tradingNames.includes(tradingName)) {
      licensee.tradingNames.push(tradingName)
    }
  }
}

type Group = { account: string; lines: [LicenceLine, ...LicenceLine[]] }

async function* readLicences(
  file: SourceFile,
  accounts: Accounts,
  licences: AccountLicences,
): AsyncGenerator<Reading, void> {
  const groups = new Map<string, Group>()
  for await (const row of readTable(file, form, layouts.licences)) {
    if (row.kind !== 'row') {
      yield unusable(row)
      continue
    }
    const { account: printed, ...cells } = row.cells
    const account = boundedKey(accountOf(printed))
    const line = { ...cells, number: cells.number.trim() }
    const problem = addLine(groups, accounts, account, line, row.line)
    if (problem !== null) yield problem
    for (const date of [line.start, line.end]) {
      if (date.trim() !== '' && isoInstant(date) === null)
        yield notice(`unreadable date "${date}"`, line.number)
    }
  }
  for (const [recordKey, { account, lines }] of groups) {
    const held = licences.get(account) ?? { remote: [] }
    if (lines.some(line => isRemote(line.type))) held.remote.push(recordKey)
    licences.set(account, held)
    const sourceUrl = accountPages + encodeURIComponent(account)
    yield { record: 'license', recordKey, ...mergeLicence(lines), licenseeKey: account, sourceUrl }
  }
}

function addLine(
  groups: Map<string, Group>,
  accounts: Accounts,
  account: string,
  line: LicenceLine,
  lineNumber: number,
): Reject | null {
  if (line.number === '') return reject('empty', lineNumber, Object.values(line).join())
  if (!accounts.has(account)) return reject('unknown_account', lineNumber, line.number)
  const key = boundedKey(licenceKey(line.number))
  const group = groups.get(key)
  if (group === undefined) groups.set(key, { account, lines: [line] })
  else if (group.account !== account) return reject('duplicate', lineNumber, line.number)
  else group.lines.push(line)
  return null
}

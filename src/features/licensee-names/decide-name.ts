import { foldedWords, personNameKey, readPersonName } from '@baize/names'
import { StaffError } from '../../core/staff-error.ts'
import type { Database, Transaction, World } from '../../database/open.ts'
import { signingSecret } from '../../database/signing-secret.ts'
import { recordEvent } from '../../journal/index.ts'
import { type Actor, recordAuditEvent } from '../audit/index.ts'
import { type HideLicensees, type Suppression, suppressPerson } from '../people/index.ts'
import { longLockLimits, requireReason, withFactsLock } from '../staff-decision-store.ts'
import { secretPurpose } from '../suppressions/index.ts'
import { type HiddenPerson, hidePeople } from './hide-people.ts'
import {
  insertDecision,
  type LicenseeName,
  readLicenseeNames,
  readNamesOf,
  replaceSecret,
} from './name-decisions-store.ts'
import { openDecidedNames, openNameDigester } from './person-names.ts'

const nameCharactersMax = 500

export type NameReport = HiddenPerson & { decision: 'person' | 'firm' }

type Decision = {
  name: string
  isPerson: boolean
  why: string
  now: Date
  by?: Actor
}

/**
 * Decides for ever whether a name of licensees is a person's. A person's name is replaced in all stored
 * facts, Signals, stored answers and lists, and in all that registers publish later. A firm's name is not
 * doubtful any more.
 */
export function decideName(world: World, { name, isPerson, why, now, by }: Decision): Promise<NameReport> {
  requireReason(why, 'Give a reason, without the name of a person. Only staff see it.')
  if (foldedWords(name).length === 0 || name.length > nameCharactersMax)
    throw new StaffError(`"name" must have letters, and at most ${nameCharactersMax} characters.`)
  if (foldedWords(why).join(' ').includes(foldedWords(name).join(' ')) && isPerson)
    throw new StaffError('The reason must not contain the name of the person.')
  const work = async (tx: Transaction) => {
    const email = by?.email ?? null
    const hidden = isPerson
      ? await hideNames(tx, [name], { why, by: email, now })
      : await storeFirm(tx, name, { why, by: email, now })
    const details = { decision: isPerson ? 'person' : 'firm', ...(isPerson ? {} : { name }), ...hidden, why }
    const event = { action: 'licensee_name.decided', subject: null, accountId: null, details, now }
    await recordAuditEvent(tx, by, event)
    return { decision: isPerson ? ('person' as const) : ('firm' as const), ...hidden }
  }
  return withFactsLock(world, work, longLockLimits)
}

type Stored = { why: string; by: string | null; now: Date }
const nothing: HiddenPerson = { licensees: 0, signals: 0, stored_answers: 0, lists: 0 }

async function storeFirm(tx: Transaction, name: string, { why, by, now }: Stored): Promise<HiddenPerson> {
  const digest = (await openNameDigester(tx))(name)
  await insertDecision(tx, { digest, isPerson: false, name, why }, { by, now })
  return nothing
}

/** Decides that names are those of people, and hides them. The caller holds the lock of the facts. */
async function hideNames(
  tx: Transaction,
  names: readonly string[],
  { why, by, now }: Stored,
): Promise<HiddenPerson> {
  if (names.length === 0) return nothing
  const digestOf = await openNameDigester(tx)
  const digests = names.map(digestOf)
  for (const digest of digests)
    await insertDecision(tx, { digest, isPerson: true, name: null, why }, { by, now })
  const hidden = await hidePeople(tx, now)
  const detail: RecordedNames = { digests: digests.map(digest => digest.toString('base64')) }
  await recordEvent(tx, { kind: 'person', at: now, detail })
  return hidden
}

/** The detail of a `person` event. It has no name. */
type RecordedNames = { digests: string[] }

/** Repeats a decision. The secret of the history comes along, because the names are hashed with it. */
export async function replayPersonNames(
  world: World,
  history: Database,
  { digests }: RecordedNames,
  at: Date,
): Promise<void> {
  const secret = await signingSecret(history, secretPurpose)
  await withFactsLock(world, async tx => {
    await replaceSecret(tx, secretPurpose, secret)
    for (const digest of digests)
      await insertDecision(
        tx,
        { digest: Buffer.from(digest, 'base64'), isPerson: true, name: null, why: 'replayed' },
        { by: null, now: at },
      )
    await hidePeople(tx, at)
    await recordEvent(tx, { kind: 'person', at, detail: { digests } })
  })
}

const placesOf = ({ language, country }: Pick<LicenseeName, 'language' | 'country'>) => [
  language?.split('-')[0] ?? '',
  country ?? '',
]

/**
 * Returns the names of licensees of these Companies that fold to one of `keys` and are read as a person's.
 * A firm that is named like a person (`William Hill`) is not among them.
 */
async function findLicensees(
  tx: Transaction,
  named: readonly { key: string; company_id: number }[],
): Promise<string[]> {
  const decided = await openDecidedNames(tx)
  const rows = await readNamesOf(
    tx,
    named.map(({ company_id }) => company_id),
  )
  const found = rows.filter(
    row =>
      named.some(({ key }) => key === personNameKey(row.name)) &&
      decided?.(row.name) !== false &&
      readPersonName(row.name, placesOf(row)) !== 'none',
  )
  return [...new Set(found.map(({ name }) => name))]
}

/** Suppresses a person (features/people), also among the licensees of registers. */
export const suppressEverywhere = (world: World, suppression: Suppression) =>
  suppressPerson(world, suppression, hideLicensees)

const hideLicensees: HideLicensees = async (tx, named, { reason, now }) => {
  const names = await findLicensees(tx, named)
  return (await hideNames(tx, names, { why: reason, by: null, now })).licensees
}

type DoubtfulName = {
  name: string
  listed: { stream: string; market: string; company_ref: string | null }[]
}

const doubtfulShownMax = 500

/** Lists names of licensees that may be those of people and are not decided, with where they are listed. */
export async function listDoubtfulNames(
  database: Database,
): Promise<{ total: number; names: DoubtfulName[] }> {
  const decided = await openDecidedNames(database)
  const names = new Map<string, DoubtfulName>()
  for await (const row of readLicenseeNames(database)) {
    const { name, stream, market, company_ref } = row
    if (decided?.(name) !== undefined || readPersonName(name, placesOf(row)) !== 'doubtful') continue
    const doubtful = names.get(name) ?? { name, listed: [] }
    doubtful.listed.push({ stream, market, company_ref })
    names.set(name, doubtful)
  }
  const sorted = [...names.values()].toSorted((one, other) => one.name.localeCompare(other.name))
  return { total: sorted.length, names: sorted.slice(0, doubtfulShownMax) }
}

import { emailKey, personNameKey, profileKey } from '@baize/names'
import { StaffError } from '../../core/staff-error.ts'
import { dayMs } from '../../core/time.ts'
import type { Database, Transaction, World } from '../../database/open.ts'
import { storedAnswersDays } from '../../metering/idempotency.ts'
import { type Actor, recordAuditEvent } from '../audit/index.ts'
import { endFactChange } from '../facts/index.ts'
import { longLockLimits, requireReason, withFactsLock } from '../staff-decision-store.ts'
import {
  completeDecision,
  firstDecisionSince,
  type Handle,
  insertSuppressionDecision,
  insertSuppressions,
  openDigester,
  suppressedAmong,
} from '../suppressions/index.ts'
import {
  deleteContacts,
  findByHandles,
  findEmployer,
  type Handles,
  type MatchedContact,
  readContactsOf,
} from './contacts-store.ts'
import { areOnePerson, handleCount, withAddresses, withNames } from './known-handles.ts'
import { readStoredLists, removeSuppressed, rewriteList } from './listed-contacts-store.ts'
import { rewriteStoredAnswers } from './stored-answers-store.ts'

export type Suppression = {
  email?: string | undefined
  profile?: string | undefined
  /** A name with the Company to which it applies. */
  named?: { name: string; company: string } | undefined
  reason: string
  now: Date
  by?: Actor
}

/** The report of a suppression; it contains no personal data. */
export type SuppressionReport = {
  /** The number of given handles, and how many of them were stored for the person. */
  handles: Record<Handle, number>
  new_handles: number
  contacts: number
  stored_answers: number
  listed_contacts: number
  /** The number of licensees of registers whose name was replaced. */
  licensees: number
}

/** Replaces the names of these licensees of Companies, and returns how many they are. */
export type HideLicensees = (
  tx: Transaction,
  names: readonly { key: string; company_id: number }[],
  decision: { reason: string; now: Date },
) => Promise<number>

/**
 * Deletes a person's contacts, also from stored answers and prospect lists, and replaces the names of
 * licensees by `hideLicensees`. Stored hashes of the person's handles exclude the person from later imports
 * (contract section 8). Fails with a StaffError for invalid input.
 */
export async function suppressPerson(
  world: World,
  suppression: Suppression,
  hideLicensees: HideLicensees = async () => 0,
): Promise<SuppressionReport> {
  const { reason, now, by } = suppression
  requireReason(reason, 'Give a reason. It is stored with the suppression, so do not include personal data.')
  const erase = async (tx: Transaction) => {
    const { handles, matched } = await widenHandles(tx, await readHandles(tx, suppression))
    const decisionId = await insertSuppressionDecision(tx, { reason, decidedAt: now })
    const new_handles = await writeSuppressions(tx, decisionId, handles)
    const removed = {
      contacts: await deleteContacts(
        tx,
        matched.map(contact => contact.id),
      ),
      stored_answers: await rewriteStoredAnswers(tx, storedAnswersSince(now)),
      listed_contacts: await rewriteLists(tx),
    }
    await completeDecision(tx, decisionId, removed)
    if (removed.contacts > 0) await endFactChange(tx)
    const { emails, profiles, names } = handles
    const licensees = await hideLicensees(tx, names, suppression)
    const counted = { email: emails.length, profile: profiles.length, name: names.length }
    const details = { handles: counted, ...removed, licensees, reason }
    await recordAuditEvent(tx, by, {
      action: 'person.suppressed',
      subject: null,
      accountId: null,
      details,
      now,
    })
    return { handles: counted, new_handles, ...removed, licensees }
  }
  return withFactsLock(world, erase, longLockLimits)
}

async function readHandles(tx: Transaction, { email, profile, named }: Suppression): Promise<Handles> {
  const handles: Handles = { emails: [], profiles: [], names: [] }
  if (email !== undefined)
    handles.emails.push(required(emailKey(email), '"email" must be an e-mail address.'))
  if (profile !== undefined)
    handles.profiles.push(required(profileKey(profile), '"profile" must be the URL of a profile.'))
  if (named !== undefined) {
    const key = required(personNameKey(named.name), '"name" must contain letters.')
    const employer = await findEmployer(tx, named.company)
    if (employer === undefined) throw new StaffError(`Company ${named.company} does not exist.`)
    handles.names.push({ key, company_id: employer.id })
  }
  if (handleCount(handles) === 0)
    throw new StaffError('Give an e-mail address, a profile, or a name with a Company.')
  return handles
}

function required(key: string | null, message: string): string {
  if (key === null) throw new StaffError(message)
  return key
}

const roundsMax = 10

/**
 * Adds the person's other handles, so that a file with another address does not restore the person. A
 * handle of several people, such as a mailbox, adds no handles.
 */
async function widenHandles(
  tx: Transaction,
  given: Handles,
): Promise<{ handles: Handles; matched: MatchedContact[] }> {
  let handles = given
  let matched = await findByHandles(tx, handles)
  for (let round = 0; round < roundsMax && areOnePerson(matched); round += 1) {
    const addressed = withAddresses(handles, matched)
    const named = withNames(addressed, matched)
    const namesakes = await findByHandles(tx, named)
    const wider = areOnePerson(namesakes) ? named : addressed
    if (handleCount(wider) === handleCount(handles)) break
    handles = wider
    matched = areOnePerson(namesakes) ? namesakes : await findByHandles(tx, addressed)
  }
  return { handles, matched }
}

async function writeSuppressions(
  tx: Transaction,
  decisionId: number,
  { emails, profiles, names }: Handles,
): Promise<number> {
  const digest = await openDigester(tx)
  return insertSuppressions(tx, decisionId, [
    ...emails.map(key => ({ handle: 'email' as const, digest: digest('email', key), company_id: null })),
    ...profiles.map(key => ({
      handle: 'profile' as const,
      digest: digest('profile', key),
      company_id: null,
    })),
    ...names.map(({ key, company_id }) => ({
      handle: 'name' as const,
      digest: digest('name', key),
      company_id,
    })),
  ])
}

/**
 * Deletes people of a Company whose names are suppressed at it or at one that was merged into it. A split
 * does not restore them.
 */
export async function eraseSuppressedOf(tx: Transaction, companyId: number, now: Date): Promise<void> {
  const contacts = await readContactsOf(tx, companyId)
  const people = contacts.map(({ name, email, profile_key: profile }) => ({
    name,
    emails: email === null ? [] : [email],
    profiles: profile === null ? [] : [profile],
    employer: { companyId },
  }))
  const suppressed = await suppressedAmong(tx, people)
  const erased = contacts.filter((_, index) => suppressed[index])
  if (erased.length === 0) return
  await deleteContacts(
    tx,
    erased.map(contact => contact.id),
  )
  await rewriteStoredAnswers(tx, storedAnswersSince(now))
  await rewriteLists(tx)
}

const storedAnswersSince = (now: Date) => new Date(now.getTime() - storedAnswersDays * dayMs)

async function rewriteLists(tx: Transaction): Promise<number> {
  let removed = 0
  for await (const list of readStoredLists(tx)) {
    const { result, suppressed } = await removeSuppressed(tx, list.result)
    if (suppressed === 0) continue
    await rewriteList(tx, { ...list, result })
    removed += suppressed
  }
  return removed
}

/** The longest time of a request between reading contacts and storing its answer. */
const requestMsMax = 10 * 60_000

/** Removes suppressed people from answers that requests stored while a suppression ran. */
export async function sweepSuppressed(database: Database, now: Date): Promise<number> {
  const since = await firstDecisionSince(database, new Date(now.getTime() - requestMsMax))
  return since === null ? 0 : rewriteStoredAnswers(database, new Date(since.getTime() - requestMsMax))
}

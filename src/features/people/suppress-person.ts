import { StaffError } from '../../core/staff-error.ts'
import type { Database, Transaction, World } from '../../database/open.ts'
import { storedAnswersDays } from '../../metering/idempotency.ts'
import { endFactChange } from '../facts/index.ts'
import { longLockLimits, requireReason, withFactsLock } from '../staff-decision-store.ts'
import { deleteContacts, findByHandles, findEmployer, type Handles, type Matched } from './contacts-store.ts'
import { areOnePerson, handleCount, withAddresses, withNames } from './known-handles.ts'
import { removeSuppressed } from './listed-contacts.ts'
import { readStoredLists, rewriteList } from './listed-contacts-store.ts'
import { emailKey, personNameKey, profileKey } from './person-handles.ts'
import { rewriteStoredAnswers } from './stored-answers.ts'
import { type Handle, openDigester } from './suppressed-among.ts'
import {
  completeDecision,
  firstDecisionSince,
  insertDecision,
  insertSuppressions,
} from './suppression-store.ts'

const dayMs = 24 * 60 * 60_000

export type Suppression = {
  email?: string | undefined
  profile?: string | undefined
  /** At a Company, and at nobody else's of that name. */
  named?: { name: string; company: string } | undefined
  reason: string
  now: Date
}

/** What a suppression did; it names nobody. */
export type SuppressionReport = {
  /** By how many spellings the person is known from now on: those given, and those that were held of them. */
  handles: Record<Handle, number>
  /** Of these, how many were not suppressed before. */
  new_handles: number
  contacts: number
  stored_answers: number
  listed_contacts: number
}

/**
 * Forgets a person (contract section 8): contacts go, answers and prospect lists that are kept lose the person, and no
 * import or delivery brings them back. Fails with a StaffError for handles that are none, and for an unknown Company.
 */
export async function suppressPerson(world: World, suppression: Suppression): Promise<SuppressionReport> {
  const { reason, now } = suppression
  requireReason(reason, 'Say why: the reason is kept with the suppression. Name nobody in it.')
  const forget = async (tx: Transaction) => {
    const { handles, matched } = await everythingKnown(tx, await readHandles(tx, suppression))
    const decisionId = await insertDecision(tx, { reason, decidedAt: now })
    const new_handles = await writeSuppressions(tx, decisionId, handles)
    const removed = {
      contacts: await deleteContacts(
        tx,
        matched.map(contact => contact.id),
      ),
      stored_answers: await rewriteStoredAnswers(tx, new Date(now.getTime() - storedAnswersDays * dayMs)),
      listed_contacts: await rewriteLists(tx),
    }
    await completeDecision(tx, decisionId, removed)
    if (removed.contacts > 0) await endFactChange(tx)
    const { emails, profiles, names } = handles
    const counted = { email: emails.length, profile: profiles.length, name: names.length }
    return { handles: counted, new_handles, ...removed }
  }
  return withFactsLock(world, forget, longLockLimits)
}

async function readHandles(tx: Transaction, { email, profile, named }: Suppression): Promise<Handles> {
  const handles: Handles = { emails: [], profiles: [], names: [] }
  if (email !== undefined) handles.emails.push(required(emailKey(email), 'That is no e-mail address.'))
  if (profile !== undefined)
    handles.profiles.push(required(profileKey(profile), 'That is not the address of a profile.'))
  if (named !== undefined) {
    const key = required(personNameKey(named.name), 'A name has letters.')
    const employer = await findEmployer(tx, named.company)
    if (employer === undefined) throw new StaffError(`There is no Company ${named.company}.`)
    handles.names.push({ key, company_id: employer.id })
  }
  if (handleCount(handles) === 0)
    throw new StaffError('Say who: an e-mail address, a profile, or a name with a Company.')
  return handles
}

function required(key: string | null, otherwise: string): string {
  if (key === null) throw new StaffError(otherwise)
  return key
}

const roundsMax = 10

/**
 * Who bears the handles, and what else that person is known by, so that a file with the other address does not bring
 * them back. Several people (a mailbox of a department, a name that two have) are taken out for the handles given alone:
 * nobody asked for the rest of any of them.
 */
async function everythingKnown(
  tx: Transaction,
  given: Handles,
): Promise<{ handles: Handles; matched: Matched[] }> {
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

async function rewriteLists(tx: Transaction): Promise<number> {
  let taken = 0
  for await (const list of readStoredLists(tx)) {
    const { result, suppressed } = await removeSuppressed(tx, list.result)
    if (suppressed === 0) continue
    await rewriteList(tx, { ...list, result })
    taken += suppressed
  }
  return taken
}

/** Longer than any request is under way between reading contacts and keeping its answer. */
const underWayMsMax = 10 * 60_000

/**
 * Answers that were under way while a suppression was decided are kept after it: they are looked through again for some
 * minutes. Cheap where nothing was decided lately; tells how many answers it changed.
 */
export async function sweepSuppressed(database: Database, now: Date): Promise<number> {
  const since = await firstDecisionSince(database, new Date(now.getTime() - underWayMsMax))
  return since === null ? 0 : rewriteStoredAnswers(database, new Date(since.getTime() - underWayMsMax))
}

import { foldedWords, slugOf } from '@baize/names'
import { keyWithoutPeople, naturalPerson, withoutPerson } from '@baize/registers/entries'
import type { Transaction } from '../../database/open.ts'
import { keepNoVersions } from '../../journal/index.ts'
import { deriveCompanies } from '../companies/index.ts'
import { endFactChange } from '../facts/index.ts'
import {
  deleteWords,
  type HiddenIdentity,
  type HiddenState,
  type Renamed,
  readStates,
  rewriteIdentities,
  rewriteKeys,
  rewriteLastKeys,
  rewriteProspectLists,
  rewriteReports,
  rewriteSignals,
  rewriteSlugs,
  rewriteStates,
  rewriteStoredAnswers,
  type StateRow,
} from './hide-people-store.ts'
import { openPersonNames } from './person-names.ts'

/** How much was rewritten; it contains no name. */
export type HiddenPerson = { licensees: number; signals: number; stored_answers: number; lists: number }

type Found = {
  states: HiddenState[]
  /** By stream and key, as the last state says. */
  identities: Map<string, HiddenIdentity>
  renamed: Map<string, Renamed>
}

/**
 * Replaces the names of all people that staff decided, in every stored state of licensees and in what was
 * made of them. Names that were replaced before are not found again, so it can be repeated.
 */
export async function hidePeople(tx: Transaction, now: Date): Promise<HiddenPerson> {
  const isPerson = (await openPersonNames(tx)) ?? (() => false)
  const { states, identities, renamed } = await findPeople(tx, isPerson)
  const report = { licensees: identities.size, signals: 0, stored_answers: 0, lists: 0 }
  if (states.length === 0) return report
  await keepNoVersions(tx)
  await rewriteStates(tx, states)
  const companyIds = await rewriteIdentities(tx, [...identities.values()])
  const hideKey = (key: string) => keyWithoutPeople(key, isPerson)
  for (const stream of new Set([...renamed.values()].map(each => each.stream))) {
    await rewriteKeys(tx, stream, hideKey)
    await rewriteLastKeys(tx, stream, hideKey)
  }
  for (const each of renamed.values()) {
    report.signals += await rewriteSignals(tx, each)
    report.stored_answers += await rewriteStoredAnswers(tx, each)
    report.lists += await rewriteProspectLists(tx, each)
    await rewriteReports(tx, each)
  }
  await deriveCompanies(tx, [...new Set(companyIds)], now)
  await endFactChange(tx)
  const names = [...new Set([...renamed.values()].map(({ from }) => from))]
  await rewriteSlugs(tx, names.map(slugOf))
  await deleteWords(tx, names.flatMap(foldedWords))
  return report
}

async function findPeople(tx: Transaction, isPerson: (name: string) => boolean): Promise<Found> {
  const found: Found = { states: [], identities: new Map(), renamed: new Map() }
  for await (const state of readStates(tx)) {
    const hidden = hide(state, isPerson)
    if (hidden === null) continue
    const { stream, record_key: from, legal_name: name } = state
    found.states.push(hidden)
    const isHidden = hidden.legal_name !== name
    found.identities.set(`${stream} ${from}`, {
      stream,
      from,
      into: hidden.record_key,
      name: isHidden ? hidden.legal_name : null,
      brands: hidden.trading_names,
    })
    for (const each of isHidden ? [name] : state.trading_names.filter(isPerson)) {
      const key = `${stream} ${each}`
      const into = isHidden ? hidden.legal_name : naturalPerson
      const isOther = found.renamed.has(key) && found.renamed.get(key)?.into !== into
      found.renamed.set(key, { stream, from: each, into: isOther ? naturalPerson : into })
    }
  }
  return found
}

function hide(state: StateRow, isPerson: (name: string) => boolean): HiddenState | null {
  const row = withoutPerson(
    {
      record: 'licensee',
      recordKey: state.record_key,
      legalName: state.legal_name,
      tradingNames: state.trading_names,
      country: null,
      registrationNumber: state.registration_number,
    },
    isPerson,
  )
  if (row.record !== 'licensee') return null
  const isSame =
    row.legalName === state.legal_name &&
    row.recordKey === state.record_key &&
    row.tradingNames.length === state.trading_names.length
  if (isSame) return null
  return {
    id: state.id,
    record_key: row.recordKey,
    legal_name: row.legalName,
    trading_names: row.tradingNames,
  }
}

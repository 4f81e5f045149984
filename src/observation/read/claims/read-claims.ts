/** Reads legal claims (§2.10): the companies that a page names as owner, operator or licensee of its site. */
import { readDomain } from '../../../core/domain-name.ts'
import { foldedWords } from '../../../core/fold-text.ts'
import { legalNameKey } from '../../../core/legal-name.ts'
import { withoutPeople } from '../../../core/without-people.ts'
import { type Finding, type Strength, snippetCharactersMax } from '../../finding.ts'
import type { PageFields } from '../page/page-fields.ts'
import type { PageType } from './choose-pages.ts'
import { textCharactersMax } from './find-numbers.ts'
import { findSeals, type Seal } from './find-seals.ts'
import { namedOwners } from './named-owners.ts'
import { type Party, readSentence, type Sentence } from './read-sentence.ts'
import { type ClaimType, isRoleLabel } from './role-words.ts'
import { sentencesOf } from './sentences.ts'

/** The value of a finding. `evidence_text` has at most 300 characters. */
export type Claim = {
  claim_type: ClaimType
  claimed_name: string
  company_registration_number: string | null
  license_number: string | null
  registered_address: string | null
  /** Of the license number; null: none is claimed. */
  market: string | null
  evidence_text: string
}

export type ClaimSource = {
  /** The registrable domain that is checked. */
  domain: string
  /** Position in the captures of the check. */
  capture: number
  /** Why the page was read; null: the root. */
  pageType: PageType | null
}

/** Pages that are about the site's company as a whole. Of the others only the footer counts. */
const legalPages = new Set<PageType>([
  'imprint',
  'licence',
  'terms',
  'about',
  'privacy',
  'contact',
  'bonus_terms',
])
/** The last texts of a page. Few sites mark their footer. */
const footerTextsMax = 40
const sentencesMax = 3_000
/** Sentences that name companies or license numbers. Terms of a site have fewer than a hundred. */
const namingMax = 300
const claimsMax = 50
/** Sentences between a company and a license number that stands alone. */
const apartMax = 3

/** Its evidence is cut out of the sentence once it is known that the claim is shown. */
type Draft = Omit<Claim, 'evidence_text'> & { evidence: () => string }
type Found = { claim: Draft; rule: string; strength: Strength }

/** A page of another registrable domain yields nothing. Claims of different companies are never joined. */
export function readClaims(page: PageFields, { domain, capture, pageType }: ClaimSource): Finding[] {
  const host = readDomain(URL.parse(page.url)?.hostname ?? '')
  if (!host.ok || host.domain !== domain) return []
  const comparesOthers = page.links.filter(({ rel }) => /\bsponsored\b/.test(rel)).length >= sponsoredMin
  const sentences = readSentences(
    claimTexts(page, pageType)
      .flatMap(text => sentencesOf(text.slice(0, textCharactersMax).replaceAll(joinedBracket, ' $&')))
      .slice(0, sentencesMax)
      .filter(text => !comparesOthers || namesSite(text, domain)),
    domain,
  )
  const seals = findSeals(page)
  const ofTexts = [...sentences.flatMap(ofSentence), ...ofLoneNumbers(sentences)]
  const confirmed = ofTexts.map(each =>
    seals.some(({ market }) => market === each.claim.market) ? { ...each, strength: 2 as const } : each,
  )
  const ofImprint = pageType === 'imprint' && !ofTexts.some(isOfRunner) ? imprintOperator(page, domain) : []
  const found = [...confirmed, ...ofSeals(seals, ofTexts), ...namedOwners(page, domain), ...ofImprint]
  return unique(found)
    .slice(0, claimsMax)
    .map(({ claim: { evidence, ...draft }, rule, strength }) => {
      const claim: Claim = { ...draft, evidence_text: evidence() }
      return {
        section: 'legal_claims',
        valueKey: keyOf(claim),
        value: claim,
        rule,
        strength,
        capture,
        snippet: claim.evidence_text,
      }
    })
}

function readSentences(texts: readonly string[], domain: string): (Sentence | null)[] {
  const sentences: (Sentence | null)[] = []
  let naming = 0
  for (const text of texts) {
    const sentence = readSentence(text, domain)
    sentences.push(sentence)
    if (sentence !== null) naming += 1
    if (naming === namingMax) break
  }
  return sentences
}

/** A page with as many advertised links compares other sites: their operators are not its own. */
const sponsoredMin = 2

/** `Lucky Otter` for luckyotter.com, or words for the site that speaks. */
function namesSite(text: string, domain: string): boolean {
  const label = (domain.split('.')[0] as string).replaceAll('-', '')
  const words = foldedWords(text.slice(0, textCharactersMax))
  return (
    words.join('').includes(label) ||
    beginsLabel(words, label) ||
    /\b(?:this|our|the) (?:web ?)?site\b/i.test(text)
  )
}

/** `Slot Scout` for slotscoutreviews.com. */
function beginsLabel(words: readonly string[], label: string): boolean {
  return words.some((_word, at) => {
    let joined = ''
    let count = 0
    for (const word of words.slice(at, at + nameWordsMax)) {
      if (!label.startsWith(joined + word)) break
      joined += word
      count += 1
    }
    return count > 1 && joined.length * 2 >= label.length
  })
}
const nameWordsMax = 6

/** `N.V.(Malta)`, `N.V.（…`: a bracket begins a word. */
const joinedBracket = /(?<=[\p{L}.])[(（]/gu

const keyOf = (claim: Omit<Claim, 'evidence_text'>): string =>
  [claim.claim_type, legalNameKey(claim.claimed_name), claim.market ?? '', claim.license_number ?? ''].join(
    ':',
  )

/** The strongest of equal claims, with the details of the first that has them. */
function unique(found: readonly Found[]): Found[] {
  return [...Map.groupBy(found, ({ claim }) => keyOf(claim)).values()].map(same => {
    const best = same.reduce((a, b) => (b.strength > a.strength ? b : a))
    const detailed = same.find(({ claim }) => claim.company_registration_number !== null) ?? best
    return { ...best, claim: detailed.claim }
  })
}

function claimTexts(page: PageFields, pageType: PageType | null): string[] {
  const texts = page.texts.map(({ text }) => text)
  return withLabels(pageType !== null && legalPages.has(pageType) ? texts : texts.slice(-footerTextsMax))
}

/** The cells `Operator` and `Otter Gaming Limited` are one statement. */
function withLabels(texts: readonly string[]): string[] {
  return texts.map((text, index) => {
    const label = texts[index - 1]
    const isLabelled = label !== undefined && text.length <= labelledCharactersMax && isRoleLabel(label)
    return isLabelled ? `${label.replace(/[\s:]+$/, '')}: ${text}` : text
  })
}

const labelledCharactersMax = 300

function ofSentence(sentence: Sentence | null): Found[] {
  return (sentence?.parties ?? []).flatMap(party => {
    const [number] = party.numbers.length === 1 ? party.numbers : []
    const roles = [...party.roles].filter(role => role !== 'licensee')
    const claims = roles.map(role => ({
      claim: claimOf(role, party, sentence as Sentence, number),
      rule: `role-words/${role}`,
      strength: 1 as const,
    }))
    return [...claims, ...asLicensee(party, sentence as Sentence)]
  })
}

const isOfRunner = ({ claim }: Found): boolean =>
  claim.claim_type === 'operator' || claim.claim_type === 'owner'

/** The first lines of an imprint: the company and its address, without words of a role. */
function imprintOperator(page: PageFields, domain: string): Found[] {
  for (const { text } of page.texts.slice(0, imprintTextsMax)) {
    const sentence = readSentence(text.slice(0, addressCharactersMax), domain)
    const party = sentence?.parties[0]
    if (sentence === null || party === undefined) continue
    const isAddress = party.start === 0 && /\d/.test(text.slice(party.end))
    const claim = isAddress && party.roles.size === 0 ? claimOf('operator', party, sentence) : null
    return claim === null ? [] : [{ claim, rule: 'imprint/operator', strength: 1 }]
  }
  return []
}
const imprintTextsMax = 12
const addressCharactersMax = 300

function asLicensee(party: Party, sentence: Sentence): Found[] {
  const saysSo = party.roles.has('licensee') && sentence.namesRegulator && party.numbers.length === 0
  const numbers = saysSo ? [undefined] : party.numbers
  return numbers.map(number => ({
    claim: claimOf('licensee', party, sentence, number),
    rule: number === undefined ? 'role-words/licensee' : `license-numbers/${number.market ?? 'other'}`,
    strength: 1,
  }))
}

type ClaimedNumber = { market: string | null; number: string }

function claimOf(type: ClaimType, party: Party, sentence: { text: string }, number?: ClaimedNumber): Draft {
  return {
    claim_type: type,
    claimed_name: party.name,
    company_registration_number: party.registrationNumber,
    license_number: number?.number ?? null,
    registered_address: party.address,
    market: number?.market ?? null,
    evidence: () => quotation(sentence.text, party.start),
  }
}

/** Without people, whom a legal sentence often names beside the company. */
function quotation(text: string, at: number, charactersMax?: number): string {
  const kept = withoutPeople(text, at)
  return excerpt(kept, Math.max(0, kept.indexOf(text.slice(at, at + 12))), charactersMax)
}

/** A long sentence is cut around the position. */
function excerpt(text: string, at: number, charactersMax = snippetCharactersMax): string {
  if (text.length <= charactersMax) return text
  const from = at < charactersMax / 2 ? 0 : Math.min(at - 40, text.length - charactersMax + 2)
  const end = from + charactersMax - 2
  return `${from > 0 ? '…' : ''}${text.slice(from, end)}${end < text.length ? '…' : ''}`
}

const runs = ({ roles, numbers }: Party): boolean =>
  numbers.length > 0 || roles.has('operator') || roles.has('owner') || roles.has('licensee')

/** A number in a sentence of its own belongs to the one company that the sentences before it name. */
function ofLoneNumbers(sentences: readonly (Sentence | null)[]): Found[] {
  return sentences.flatMap((sentence, index) => {
    if (sentence === null || sentence.parties.length > 0) return []
    const before = sentences.slice(Math.max(0, index - apartMax), index)
    const source = before.findLast(each => each?.parties.some(runs))
    const [party, ...others] = (source?.parties ?? []).filter(runs)
    if (party === undefined || others.length > 0) return []
    return sentence.numbers.map(number => {
      const evidence = () =>
        [quotation(source?.text ?? '', party.start, 140), quotation(sentence.text, number.start, 150)].join(
          ' … ',
        )
      return {
        claim: { ...claimOf('licensee', party, sentence, number), evidence },
        rule: `license-numbers/${number.market ?? 'other'}`,
        strength: 1 as const,
      }
    })
  })
}

/** A seal with a number belongs to the only company that claims to operate the site. */
function ofSeals(seals: readonly Seal[], claimed: readonly Found[]): Found[] {
  const runners = claimed.filter(({ claim }) => ['operator', 'licensee'].includes(claim.claim_type))
  const names = new Set(runners.map(({ claim }) => legalNameKey(claim.claimed_name)))
  const [runner] = runners
  if (runner === undefined || names.size !== 1) return []
  const isNew = ({ market }: Seal) => !runners.some(({ claim }) => claim.market === market)
  return seals.flatMap(seal => {
    if (seal.number === null || !isNew(seal)) return []
    const { market, number: license_number } = seal
    const claim = { ...runner.claim, claim_type: 'licensee' as const, market, license_number }
    return [{ claim, rule: `license-seals/${market}`, strength: 2 as const }]
  })
}

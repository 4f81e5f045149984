/** Reads legal claims (§2.10): the companies that a page names as owner, operator or licensee of its site. */
import { legalNameKey, readDomain, withoutPeople } from '@baize/names'
import { type SectionFinding, type Strength, snippetCharactersMax } from '../finding.ts'
import type { PageFields } from '../page/page-fields.ts'
import type { PageType } from './choose-pages.ts'
import { textCharactersMax } from './find-numbers.ts'
import { findSeals, type Seal } from './find-seals.ts'
import { loneRegistrationNumber } from './lone-registration-number.ts'
import { namedOwners } from './named-owners.ts'
import { type Party, readSentence, type Sentence } from './read-sentence.ts'
import { type ClaimType, isClaimLabel } from './role-words.ts'
import { sentencesOf } from './sentences.ts'
import { namesSite } from './site-names.ts'

/** The value of a finding. `evidence_text` has at most 300 characters. */
export type Claim = {
  claim_type: ClaimType
  claimed_name: string
  company_registration_number: string | null
  license_number: string | null
  registered_address: string | null
  /** The market of the license number; null if the page claims no number. */
  market: string | null
  evidence_text: string
}

export type ClaimSource = {
  /** The registrable domain of the checked site. */
  domain: string
  /** The type for which the page was chosen; null for the root. */
  pageType: PageType | null
}

/** Types of pages that are wholly about the site's company. On other pages only the footer counts. */
const legalPages = new Set<PageType>([
  'imprint',
  'licence',
  'terms',
  'about',
  'privacy',
  'contact',
  'bonus_terms',
])
/** The number of last texts that count as the footer, because few sites mark their footer. */
const footerTextsMax = 40
const sentencesMax = 3_000
/** Limits the sentences that name companies or license numbers. Terms of a site have fewer than a hundred. */
const namingMax = 300
const claimsMax = 50
/** Limits the sentences between a company and a license number in a sentence of its own. */
const apartMax = 3

/** A claim whose evidence is cut out of the sentence only when the claim is returned. */
type Draft = Omit<Claim, 'evidence_text'> & { evidence: () => string }
type Found = { claim: Draft; rule: string; strength: Strength }

/**
 * Reads the claims of a page. A page of another registrable domain has none. Claims of different companies
 * are never joined.
 */
export function readClaims(page: PageFields, { domain, pageType }: ClaimSource): SectionFinding[] {
  const host = readDomain(URL.parse(page.url)?.hostname ?? '')
  if (!host.ok || host.domain !== domain) return []
  const advertised = page.links.filter(({ rel }) => /\bsponsored\b/.test(rel)).length
  const comparesOthers = advertised >= sponsoredMin
  const sentences = readSentences(
    claimTexts(page, pageType)
      .flatMap(text => sentencesOf(text.slice(0, textCharactersMax).replaceAll(joinedBracket, ' $&')))
      .slice(0, sentencesMax)
      .filter(text => !comparesOthers || namesSite(text, domain)),
    { domain, isImprint: pageType === 'imprint' },
  )
  const seals = findSeals(page)
  // A page that advertises a site praises the licensee of that site.
  const isOwn = ({ claim, rule }: Found) =>
    advertised === 0 || rule !== 'role-words/licensee' || namesSite(claim.evidence(), domain)
  const ofTexts = [...sentences.flatMap(ofSentence), ...ofLoneNumbers(sentences)].filter(isOwn)
  const confirmed = ofTexts.map(each =>
    seals.some(({ market }) => market === each.claim.market) ? { ...each, strength: 2 as const } : each,
  )
  const ofImprint = pageType === 'imprint' && !ofTexts.some(isOfRunner) ? imprintOperator(page, domain) : []
  const found = [...confirmed, ...ofSeals(seals, ofTexts), ...namedOwners(page, domain), ...ofImprint]
  return unique(withRegistrationNumbers(found, sentences))
    .slice(0, claimsMax)
    .map(({ claim: { evidence, ...draft }, rule, strength }) => {
      const claim: Claim = { ...draft, evidence_text: evidence() }
      return {
        valueKey: keyOf(claim),
        value: claim,
        rule,
        strength,
        snippet: claim.evidence_text,
      }
    })
}

/** Limits the sentences between a company and its number in an imprint, which may name people in between. */
const imprintApartMax = 12

function readSentences(
  texts: readonly string[],
  { domain, isImprint }: { domain: string; isImprint: boolean },
): (Sentence | null)[] {
  const sentences: (Sentence | null)[] = []
  let naming = 0
  let company: { party: Party; at: number } | null = null
  for (const [at, text] of texts.entries()) {
    const sentence = readSentence(text, domain)
    sentences.push(sentence)
    if (sentence !== null) naming += 1
    if (naming === namingMax) break
    const parties = (sentence?.parties ?? []).filter(party => isImprint || runs(party))
    if (parties.length > 0) company = parties.length === 1 ? { party: parties[0] as Party, at } : null
    const isNear =
      company !== null && at > company.at && at - company.at <= (isImprint ? imprintApartMax : apartMax)
    if (company !== null && isNear && company.party.registrationNumber === null && !sentence?.parties.length)
      company.party.registrationNumber = loneRegistrationNumber(text)
  }
  return sentences
}

/** Gives claims the registration number that another sentence of the page gives their company. */
function withRegistrationNumbers(found: readonly Found[], sentences: readonly (Sentence | null)[]): Found[] {
  const numbers = new Map<string, string>()
  for (const { name, registrationNumber } of sentences.flatMap(sentence => sentence?.parties ?? []))
    if (registrationNumber !== null && !numbers.has(legalNameKey(name)))
      numbers.set(legalNameKey(name), registrationNumber)
  return found.map(each => {
    const { company_registration_number: own, claimed_name } = each.claim
    const company_registration_number = own ?? numbers.get(legalNameKey(claimed_name)) ?? null
    return { ...each, claim: { ...each.claim, company_registration_number } }
  })
}

/** Matches a bracket that begins a word: `N.V.(Malta)`, `N.V.（…`. */
const joinedBracket = /(?<=[\p{L}.])[(（]/gu

const keyOf = (claim: Omit<Claim, 'evidence_text'>): string =>
  [claim.claim_type, legalNameKey(claim.claimed_name), claim.market ?? '', claim.license_number ?? ''].join(
    ':',
  )

/** Merges equal claims into the strongest one, with the details of the first that has them. */
function unique(found: readonly Found[]): Found[] {
  return [...Map.groupBy(found, ({ claim }) => keyOf(claim)).values()].map(same => {
    const best = same.reduce((a, b) => (b.strength > a.strength ? b : a))
    const detailed = same.find(({ claim }) => claim.company_registration_number !== null) ?? best
    return { ...best, claim: detailed.claim }
  })
}

/** A page with this many advertised links compares other sites, whose operators are not its own. */
const sponsoredMin = 2

function claimTexts(page: PageFields, pageType: PageType | null): string[] {
  const texts = page.texts.map(({ text }) => text)
  return withLabels(pageType !== null && legalPages.has(pageType) ? texts : texts.slice(-footerTextsMax))
}

/** Joins labels to the next text: the cells `Operator` and `Otter Gaming Limited` are one statement. */
function withLabels(texts: readonly string[]): string[] {
  return texts.map((text, index) => {
    const label = texts[index - 1]
    const isLabelled = label !== undefined && text.length <= labelledCharactersMax && isClaimLabel(label)
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

/**
 * Reads the operator from the first lines of an imprint: the company and its address, without words of a
 * role.
 */
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

/** Returns the quotation without people, whom a legal sentence often names beside the company. */
function quotation(text: string, at: number, charactersMax?: number): string {
  const kept = withoutPeople(text, at)
  return excerpt(kept, Math.max(0, kept.indexOf(text.slice(at, at + 12))), charactersMax)
}

/** Cuts a long sentence around the position. */
function excerpt(text: string, at: number, charactersMax = snippetCharactersMax): string {
  if (text.length <= charactersMax) return text
  const from = at < charactersMax / 2 ? 0 : Math.min(at - 40, text.length - charactersMax + 2)
  const end = from + charactersMax - 2
  return `${from > 0 ? '…' : ''}${text.slice(from, end)}${end < text.length ? '…' : ''}`
}

const runs = ({ roles, numbers }: Party): boolean =>
  numbers.length > 0 || roles.has('operator') || roles.has('owner') || roles.has('licensee')

/** Gives a number in a sentence of its own to the only company that the sentences before it name. */
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

/** Gives a seal with a number to the only company that claims to operate the site. */
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

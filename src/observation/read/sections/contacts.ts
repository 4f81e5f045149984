/** E-mail addresses of roles at the site's own domain. A person's address is never read (§2.10). */

import { foldedWords } from '../../../core/fold-text.ts'
import { isSharedHost } from '../../../core/shared-hosts.ts'
import { textsIn } from '../page/match-rules.ts'
import type { MatchedPage, PageFinding } from './matched-page.ts'
import { relatedDomain } from './related-domains.ts'

const contactsMax = 10
const address = /(?<![a-z0-9._%+-])[a-z0-9][a-z0-9._+-]{0,63}@[a-z0-9-]{1,63}(?:\.[a-z0-9-]{1,63}){1,4}/giu

const roles = new Set(
  `abi abuse accounts admin affiliate affiliates aide ajuda aml ansvarligtspil anfrage anfragen asiakas
   asiakaspalvelu assistance assistencia assistenza assistenz atbalsts atencion atencionalcliente
   atendimento ayuda b2b beschwerde beschwerden biuro biz bok bonjour bonus business care careers cashier
   casino client clientes clienti clients cliente closing closure compliance complaint complaints
   confidentialite contabilidad contact contacto contactus contato contatto crm cs cskh customer
   customercare customers customerservice customersupport data dataprotection datenschutz desk
   destek dopomoga dpd dpo editor editorial enquiries enquiry faleconosco feedback finance fraud
   gdpr general hallo headoffice hei hej hello help helpdesk hi hilfe hjalp hjelp hjaelp hola hotro hr
   iletisim impressum info informacion information inquiries investors iod jobs jogoresponsavel
   juegoresponsable kancelar kapcsolat karriere kc klachten klage klager klagomal klant klanten
   klantenservice klienditugi kontakt kontaktai kontakti kundenservice kunden kundeservice
   kundtjanst kyc legal licensing mail marketing media newsdesk news obsluga office ombudsman
   operations ouvidoria pagalba palaute palidziba palvelu partner partners partnership partnerships
   payment payments personuppgifter personvern personopplysninger databeskyttelse dataskydd dataskyddsombud
   datenschutzbeauftragter protectiadatelor protectiadedate datepersonale adatvedelem adatkezeles andmekaitse
   datuaizsardziba duomenuapsauga bdar zop zastitapodataka osobnipodaci ochranaudaju ochranaudajov osobniudaje
   poverenec poverenik zvop kvkk pr imprensa ufficiostampa presseanfragen sugerencias delegadodedatos
   encarregado rgpd ochronadanych persoonsgegevens lichnidanni dannye
   play player players podpora podrska podrzka poddrjka podderzhka
   pomoc pomoz poker post pqr pqrs press presse prensa prevence privacidad privacidade privacy
   privatlivspolitik protection quejas reclamaciones reclami reclamos recruitment redaccion redakce
   redakcja redaktion redaktor redazione reklamace reklamacje responsable responsible
   responsiblegambling responsiblegaming rg riservatezza rodo sac safer sales security segitseg
   service servicio serviciu servis servizio soporte spielerschutz sport sports suport suporte
   support supporto team tech technical tietosuoja tips tugi tuki ugyfelszolgalat verification
   verify vip web webmaster webteam withdrawals yardim zakaznici zakaznik`.split(/\s+/),
)

/** `companies`: names that the page's claims have. */
export function readContacts(
  { domain, page }: MatchedPage,
  companies: readonly string[] = [],
): PageFinding[] {
  const links = page.links.filter(({ url }) => url.startsWith('mailto:')).map(({ path }) => decoded(path))
  const declared = page.jsonLd.flatMap(object => textsIn(object.email))
  const texts = page.texts.map(({ text }) => plainAddress(text)).filter(text => text.includes('@'))
  const declaredSites = page.jsonLd.flatMap(({ url }) => textsIn(url)).map(domainOf)
  const organisations = new Set([
    domain,
    ...declaredSites.filter(site => site !== null && !isSharedHost(site)),
  ])
  const isOf = (site: string | null) =>
    site !== null &&
    (organisations.has(site) || isSameName(site, domain) || companies.some(name => isOfCompany(site, name)))
  const found = [...links, ...declared, ...texts]
    .flatMap(text => [...text.matchAll(address)].map(([email]) => email.toLowerCase()))
    .filter(email => isRole(email, domain) && isOf(mailDomain(email)))
  return [...new Set(found)].slice(0, contactsMax).map(email => ({
    section: 'public_contacts',
    valueKey: email,
    value: { type: 'email', value: email, source: 'website' },
    rule: 'contacts',
    strength: 1,
    snippet: email,
  }))
}

/** `lucky-otter.de`, and `luckyotter174.example`, a numbered mirror. */
function isSameName(site: string, domain: string): boolean {
  const [one, other] = [labelOf(site), labelOf(domain)].map(label => label.replace(/\d+$/, ''))
  return one === other && (one ?? '').length >= brandCharactersMin && !isSharedHost(site)
}

/** `blackglass.example` of Black Glass Ltd, `hazelmoorgroup.example` of Hazelmoor Gaming Limited. */
function isOfCompany(site: string, company: string): boolean {
  const label = labelOf(site)
  const names = foldedWords(company)
  const starts = names.map((_name, end) => names.slice(0, end + 1).join(''))
  if (starts.slice(1).some(start => start === label && start.length >= companyCharactersMin)) return true
  const [first = ''] = names
  return (
    first.length >= companyCharactersMin &&
    companyEndings.has(label.slice(first.length)) &&
    label.startsWith(first)
  )
}

const labelOf = (site: string) => (site.split('.')[0] as string).replaceAll('-', '')
const brandCharactersMin = 5
const companyCharactersMin = 6
const companyEndings = new Set(
  [
    'group groups holding holdings gaming games entertainment interactive international media',
    'corp ltd limited gmbh ab',
  ].flatMap(words => words.split(' ')),
)

/** `support [at] casino (dot) example`. */
function plainAddress(text: string): string {
  const plain = text.replaceAll(/ ?[[(] ?(?:at|ät|arroba) ?[\])] ?/gi, '@')
  return plain === text ? text : plain.replaceAll(/ ?[[(] ?(?:dot|punkt|punto|ponto) ?[\])] ?/gi, '.')
}

/** `support.de`, `customer-service`: role words, and codes of languages or countries. */
function isRole(email: string, domain: string): boolean {
  if (email.slice(0, email.indexOf('@')) === labelOf(domain)) return true
  const words = email.slice(0, email.indexOf('@')).split(/[._+-]/)
  return (
    words.some(word => roles.has(word)) && words.every(word => roles.has(word) || /^[a-z]{2}$/.test(word))
  )
}

const mailDomain = (email: string) => relatedDomain(email.slice(email.indexOf('@') + 1))
const domainOf = (url: string) => relatedDomain(URL.parse(url)?.hostname ?? '')

function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

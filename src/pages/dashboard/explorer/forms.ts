import type { Explorer } from '../../../features/look-ups/index.ts'
import {
  ceilingOf,
  choices,
  credits,
  type FormView,
  field,
  form,
  hidden,
  marketField,
  memberName,
  viewOfForm,
} from '../../components/index.ts'
import { type Html, html } from '../../html.ts'
import type { View } from '../../page.ts'

type Prices = Pick<Explorer, 'prices' | 'sections' | 'nonce'>

export function verdictForm(view: View, { prices, sections, nonce }: Prices, domain = ''): Html {
  const action = '/dashboard/explorer/verdict'
  const its = viewOfForm(view, action)
  return html`<section class="card whole"><h2>A verdict</h2>
<p>Licensed, on a blocklist, both, or no record, and by which register.</p>
${form(
  { action, submit: verdictButton(its, prices), name: 'A verdict' },
  field(its, {
    name: 'domain',
    label: 'Domain, host or URL',
    value: domain,
    required: true,
    placeholder: 'luckyotter.example',
  }),
  hidden('max_credits', ceilingOf(its, prices.verdict + prices.launch_profile)),
  choices(its, {
    name: 'include[]',
    label: 'Evidence to add',
    of: sections.map(each => [each, sectionLabel(each, prices)] as const),
  }),
  hidden('nonce', nonce),
)}</section>`
}

function verdictButton(
  { problem }: FormView,
  { verdict, launch_profile: profile }: Explorer['prices'],
): string {
  if (problem?.offeredCredits !== undefined) return `Look up for at most ${credits(problem.offeredCredits)}`
  return `Look up for ${credits(verdict)}, with a launch profile for ${verdict + profile}`
}

const sectionLabel = (section: string, prices: Explorer['prices']): string =>
  section === 'operator_launch_profile'
    ? `${memberName(section)} (${credits(prices.launch_profile)} more if available)`
    : memberName(section)

const priceButton = (view: FormView, price: number): string =>
  view.problem?.offeredCredits === undefined
    ? `Look up for ${credits(price)}`
    : `Look up for at most ${credits(view.problem.offeredCredits)}`

const identifiers = [
  ['name', 'Name or brand'],
  ['domain', 'Domain'],
  ['legal_entity', 'Legal name'],
  ['license_number', 'License number'],
  ['company_ref', 'Company ref'],
] as const

export function companyForm(view: View, { prices, nonce }: Prices): Html {
  const action = '/dashboard/explorer/company'
  const its = viewOfForm(view, action)
  // The API names the parameter that the first field selects.
  for (const [name, label] of identifiers) its.problem?.labels?.set(name, label)
  return html`<section class="card"><h2>A Company</h2>
<p>Brands, domains, licenses and more. A name that several Companies share shows them, free.</p>
${form(
  { action, submit: priceButton(its, prices.company), name: 'A Company' },
  field(its, { name: 'identifier', label: 'Found by', choices: identifiers }),
  field(its, { name: 'company', label: 'Company', required: true }),
  choices(its, {
    name: 'firmographics',
    label: 'To add; you see the whole price before you agree',
    of: [['true', `Firmographics (${credits(prices.firmographics)} more for each Domain)`]],
  }),
  hidden('max_credits', ceilingOf(its, prices.company)),
  hidden('nonce', nonce),
)}</section>`
}

export function licenseForm(view: View, { prices, nonce }: Prices): Html {
  const action = '/dashboard/explorer/license'
  const its = viewOfForm(view, action)
  return html`<section class="card"><h2>A license</h2>
<p>Its holder, status, dates and authorised domains.</p>
${form(
  { action, submit: priceButton(its, prices.license), name: 'A license' },
  field(its, { name: 'license_number', label: 'License number', required: true }),
  marketField(
    its,
    { name: 'jurisdiction', label: 'Market', hint: 'Only where several markets use the number.' },
    'any',
  ),
  hidden('max_credits', ceilingOf(its, prices.license)),
  hidden('nonce', nonce),
)}</section>`
}

export function checkForm(view: View, { prices, nonce }: Prices, domain = ''): Html {
  const action = '/dashboard/explorer/checks'
  const its = viewOfForm(view, action)
  return html`<section class="card"><h2>Check a site now</h2>
<p>The service looks at the site itself: pages, DNS, registration. A check that fails costs nothing. It takes
from seconds to minutes.</p>
${form(
  { action, submit: `Check for ${credits(ceilingOf(its, prices.check))}`, name: 'Check a site now' },
  field(its, { name: 'domain', label: 'Domain, host or URL', value: domain, required: true }),
  hidden('max_credits', ceilingOf(its, prices.check)),
  hidden('nonce', nonce),
)}</section>`
}

import type { Explorer } from '../../../features/look-ups/index.ts'
import { choices, credits, field, form, hidden, nameOf } from '../../components/index.ts'
import { type Html, html } from '../../html.ts'
import type { View } from '../../page.ts'

type Prices = Pick<Explorer, 'prices' | 'sections' | 'nonce'>

/** The most that the form may cost, which the person can lower or raise. */
const limit = (view: View, value: number) =>
  field(view, {
    name: 'max_credits',
    label: 'At most (credits)',
    type: 'number',
    value,
    required: true,
    hint: 'A look-up that could cost more is refused, free of charge.',
  })

export function verdictForm(view: View, { prices, sections, nonce }: Prices, domain = ''): Html {
  return html`<section class="card"><h2>A verdict</h2>
<p>Licensed, on a blocklist, both, or no record, and by which register.
<strong>${credits(prices.verdict)}</strong>;
an available launch profile is ${prices.launch_profile} more.</p>
${form(
  {
    action: '/dashboard/explorer/verdict',
    submit: `Look up (from ${credits(prices.verdict)})`,
    name: 'A verdict',
  },
  field(view, {
    name: 'domain',
    label: 'Domain, host or URL',
    value: domain,
    required: true,
    placeholder: 'luckyotter.example',
  }),
  choices(view, {
    name: 'include[]',
    label: 'Evidence to add',
    of: sections.map(each => [each, nameOf(each)] as const),
  }),
  limit(view, prices.verdict + prices.launch_profile),
  hidden('nonce', nonce),
)}</section>`
}

export function companyForm(view: View, { prices, nonce }: Prices): Html {
  return html`<section class="card"><h2>A Company</h2>
<p>Brands, domains, licenses and more. <strong>${credits(prices.company)}</strong> a profile; firmographics
${prices.firmographics} more for each Domain. A name that several Companies share shows them, free.</p>
${form(
  {
    action: '/dashboard/explorer/company',
    submit: `Look up (from ${credits(prices.company)})`,
    name: 'A Company',
  },
  field(view, {
    name: 'identifier',
    label: 'Found by',
    choices: [
      ['name', 'Name or brand'],
      ['domain', 'Domain'],
      ['legal_entity', 'Legal name'],
      ['license_number', 'License number'],
      ['company_ref', 'Company ref'],
    ],
  }),
  field(view, { name: 'company', label: 'Company', required: true }),
  field(view, {
    name: 'firmographics',
    label: 'Firmographics',
    choices: [
      ['', 'no'],
      ['true', `yes, ${prices.firmographics} credits a Domain`],
    ],
  }),
  limit(view, prices.company),
  hidden('nonce', nonce),
)}</section>`
}

export function licenseForm(view: View, { prices, nonce }: Prices): Html {
  return html`<section class="card"><h2>A license</h2>
<p>Its holder, status, dates and authorised domains.
<strong>${credits(prices.license)}</strong> a profile.</p>
${form(
  {
    action: '/dashboard/explorer/license',
    submit: `Look up (${credits(prices.license)})`,
    name: 'A license',
  },
  field(view, { name: 'license_number', label: 'License number', required: true }),
  field(view, {
    name: 'jurisdiction',
    label: 'Jurisdiction',
    hint: 'Only where several use the number, e.g. ukgc.',
  }),
  limit(view, prices.license),
  hidden('nonce', nonce),
)}</section>`
}

export function checkForm(view: View, { prices, nonce }: Prices, domain = ''): Html {
  return html`<section class="card"><h2>Check a site now</h2>
<p>The service looks at the site itself: pages, DNS, registration. <strong>${credits(prices.check)}</strong>
when the check is completed, nothing if it fails. It takes from seconds to minutes.</p>
${form(
  {
    action: '/dashboard/explorer/checks',
    submit: `Check (${credits(prices.check)})`,
    name: 'Check a site now',
  },
  field(view, { name: 'domain', label: 'Domain, host or URL', value: domain, required: true }),
  limit(view, prices.check),
  hidden('nonce', nonce),
)}</section>`
}

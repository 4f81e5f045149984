import type { Explorer } from '../../../features/look-ups/index.ts'
import {
  choices,
  credits,
  type FormView,
  field,
  form,
  hidden,
  nameOf,
  viewOfForm,
} from '../../components/index.ts'
import { type Html, html } from '../../html.ts'
import type { View } from '../../page.ts'

type Prices = Pick<Explorer, 'prices' | 'sections' | 'nonce'>

/** The most that the form may cost, which the person can lower or raise. */
const limit = (view: FormView, value: number) =>
  field(view, {
    name: 'max_credits',
    label: 'At most (credits)',
    type: 'number',
    value,
    required: true,
  })

export function verdictForm(view: View, { prices, sections, nonce }: Prices, domain = ''): Html {
  const action = '/dashboard/explorer/verdict'
  const its = viewOfForm(view, action)
  return html`<section class="card whole"><h2>A verdict</h2>
<p>Licensed, on a blocklist, both, or no record, and by which register.
<strong>${credits(prices.verdict)}</strong>;
an available launch profile is ${prices.launch_profile} more.</p>
${form(
  {
    action,
    submit: `Look up (from ${credits(prices.verdict)})`,
    name: 'A verdict',
  },
  field(its, {
    name: 'domain',
    label: 'Domain, host or URL',
    value: domain,
    required: true,
    placeholder: 'luckyotter.example',
  }),
  limit(its, prices.verdict + prices.launch_profile),
  choices(its, {
    name: 'include[]',
    label: 'Evidence to add',
    of: sections.map(each => [each, nameOf(each)] as const),
  }),
  hidden('nonce', nonce),
)}</section>`
}

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
  // The API names the parameter that the first field chooses.
  for (const [name, label] of identifiers) its.problem?.labels?.set(name, label)
  return html`<section class="card"><h2>A Company</h2>
<p>Brands, domains, licenses and more. <strong>${credits(prices.company)}</strong> a profile; firmographics
${prices.firmographics} more for each Domain. A name that several Companies share shows them, free.</p>
${form(
  {
    action,
    submit: `Look up (from ${credits(prices.company)})`,
    name: 'A Company',
  },
  field(its, {
    name: 'identifier',
    label: 'Found by',
    choices: identifiers,
  }),
  field(its, { name: 'company', label: 'Company', required: true }),
  field(its, {
    name: 'firmographics',
    label: 'Firmographics',
    choices: [
      ['', 'no'],
      ['true', `yes, ${prices.firmographics} credits a Domain`],
    ],
  }),
  limit(its, prices.company),
  hidden('nonce', nonce),
)}</section>`
}

export function licenseForm(view: View, { prices, nonce }: Prices): Html {
  const action = '/dashboard/explorer/license'
  const its = viewOfForm(view, action)
  return html`<section class="card"><h2>A license</h2>
<p>Its holder, status, dates and authorised domains.
<strong>${credits(prices.license)}</strong> a profile.</p>
${form(
  {
    action,
    submit: `Look up (${credits(prices.license)})`,
    name: 'A license',
  },
  field(its, { name: 'license_number', label: 'License number', required: true }),
  field(its, {
    name: 'jurisdiction',
    label: 'Jurisdiction',
    hint: 'Only where several use the number, e.g. ukgc.',
  }),
  limit(its, prices.license),
  hidden('nonce', nonce),
)}</section>`
}

export function checkForm(view: View, { prices, nonce }: Prices, domain = ''): Html {
  const action = '/dashboard/explorer/checks'
  const its = viewOfForm(view, action)
  return html`<section class="card"><h2>Check a site now</h2>
<p>The service looks at the site itself: pages, DNS, registration. <strong>${credits(prices.check)}</strong>
when the check is completed, nothing if it fails. It takes from seconds to minutes.</p>
${form(
  {
    action,
    submit: `Check (${credits(prices.check)})`,
    name: 'Check a site now',
  },
  field(its, { name: 'domain', label: 'Domain, host or URL', value: domain, required: true }),
  limit(its, prices.check),
  hidden('nonce', nonce),
)}</section>`
}

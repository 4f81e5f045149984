import { describe, expect, test } from 'vitest'
import type { Capture } from './capture.ts'
import { answered, dnsCapture, failedCapture, httpCapture } from './fixture.ts'
import { readCaptures } from './read-captures.ts'

const context = { domain: 'luckyotter.example', earlierLive: false, licensed: true }
const read = (...captures: Capture[]) => readCaptures([dnsCapture(), ...captures], context)

/** Returns the values found in a section, by key. */
async function values(section: string, ...captures: Capture[]) {
  const { findings } = await read(...captures)
  return findings.filter(finding => finding.section === section).map(({ value }) => value)
}

const certificate = (names: string[]) => ({
  subject: null,
  issuer: null,
  validFrom: new Date(0),
  validTo: new Date(0),
  names,
  fingerprint: '',
})

describe('the outcome of a check', () => {
  test('a name that does not exist completes the check', async () => {
    const gone = { outcome: 'nxdomain' as const, records: [] as [] }
    const dns = dnsCapture({ a: gone, aaaa: gone, ns: gone, mx: gone, wwwA: gone, wwwAaaa: gone })
    const { outcome, findings } = await readCaptures([dns], context)
    expect(outcome).toEqual({ outcome: 'completed', reason: null })
    expect(findings.map(({ section, value, capture }) => [section, value.status, capture])).toEqual([
      ['web_presence', 'offline', 0],
      ['launch', 'unknown', 0],
      ['dns', undefined, 0],
    ])
  })

  test('a name that does not resolve fails the check', async () => {
    const failed = { outcome: 'servfail' as const, records: [] as [] }
    const dns = dnsCapture({ ...answered, a: failed, aaaa: failed })
    expect((await readCaptures([dns], context)).outcome.reason).toBe('name_unresolved')
  })

  test.each([
    ['https', [failedCapture('timeout')], 'timeout'],
    [
      'https and http',
      [failedCapture('tls'), failedCapture('refused_connection', 'http://luckyotter.example/')],
      'tls',
    ],
    [
      'https, while http answers',
      [failedCapture('tls'), httpCapture('<p>Hello', { url: 'http://luckyotter.example/' })],
      null,
    ],
  ])('the reason why a check failed follows from the failures of %s', async (_name, captures, reason) => {
    expect((await read(...captures)).outcome.reason).toBe(reason)
  })

  test('a reading of captures states the version of the rules', async () => {
    expect((await read()).rulesVersion).toMatch(/^[0-9a-f]{12}$/)
  })
})

test('web_presence has the shape of the launch profile', async () => {
  const root = httpCapture('<title>Lucky Otter</title><p>Play</p><a href="/terms">Terms and conditions</a>', {
    finalUrl: 'https://www.luckyotter.example/en',
    redirectChain: ['https://luckyotter.example/', 'https://www.luckyotter.example/en'],
  })
  expect(await values('web_presence', root)).toEqual([
    {
      status: 'live',
      requested_url: 'https://luckyotter.example/',
      final_url: 'https://www.luckyotter.example/en',
      redirect_chain: ['https://luckyotter.example/', 'https://www.luckyotter.example/en'],
      http_status: 200,
      title: 'Lucky Otter',
      parked: false,
      legal_pages: [{ page_type: 'terms', url: 'https://www.luckyotter.example/terms' }],
    },
  ])
})

describe('parked sites', () => {
  const onNameservers = (...records: string[]) =>
    dnsCapture({ ...answered, ns: { outcome: 'answered', records } })
  const forSale = httpCapture('<h1>luckyotter.example</h1><p>This domain is for sale.')
  const registrar = httpCapture('<h1>luckyotter.example</h1><p>This domain is parked at one.com.')

  test.each([
    ['a page of a parking service', forSale, 'ns1.sedoparking.com', 'parked', 'pre_launch'],
    ['a page for sale on ordinary nameservers', forSale, 'ns1.host.example', 'unknown', 'unknown'],
    ['a registrar’s page on its own nameservers', registrar, 'ns01.one.com', 'parked', 'pre_launch'],
    [
      'a registrar’s page on nameservers of another',
      registrar,
      'dns1.registrar-servers.com',
      'unknown',
      'unknown',
    ],
    [
      'a page without marks on parking nameservers',
      httpCapture('<p>Hello'),
      'ns1.sedoparking.com',
      'live',
      'unknown',
    ],
  ])('presence and launch are judged for %s', async (_name, root, nameserver, status, launch) => {
    const { findings } = await readCaptures([onNameservers(nameserver), root], context)
    expect(findings.slice(0, 2).map(({ value }) => value.status)).toEqual([status, launch])
  })
})

describe('sections', () => {
  const skrill = '<h1>Payment methods</h1><p>We accept <img alt="Skrill" src="/skrill.svg">'

  test('a finding has the capture and the rule of its strongest match', async () => {
    const other = httpCapture('<p>Pay <iframe src="https://pay.skrill.com/x"></iframe>', {
      purpose: 'page',
      url: 'https://luckyotter.example/payments',
    })
    const { findings } = await read(httpCapture(skrill), other)
    expect(findings.filter(({ section }) => section === 'payment_methods')).toMatchObject([
      {
        valueKey: 'skrill',
        value: { normalized_name: 'skrill', category: 'ewallet' },
        rule: 'payment-methods/skrill',
        strength: 3,
        capture: 2,
        snippet: 'frame pay.skrill.com/x',
      },
    ])
  })

  test.each([
    ['an error', { status: 404 }],
    ['a refusal', { status: 403 }],
    ['another site', { finalUrl: 'https://other.example/' }],
  ])('a page of %s confirms no finding', async (_name, more) => {
    expect(await values('payment_methods', httpCapture(skrill, more))).toEqual([])
  })

  test('a page with another status than 200, except the home page, confirms no finding', async () => {
    const missing = httpCapture(skrill, {
      purpose: 'page',
      status: 404,
      url: 'https://luckyotter.example/pay',
    })
    expect(await values('payment_methods', httpCapture('<p>Hello'), missing)).toEqual([])
  })

  test('a page beyond the limits confirms no finding, and a home page fails the check', async () => {
    const page = httpCapture(skrill, { purpose: 'page', url: 'https://luckyotter.example/payments' })
    const reader = { readPage: async () => null, ownDomainsOf: async () => [] }
    const reading = await readCaptures([dnsCapture(), httpCapture(skrill), page], context, reader)
    expect(reading.outcome).toEqual({ outcome: 'failed', reason: 'unreadable' })
    expect(reading.findings.map(({ section }) => section)).toEqual(['web_presence', 'launch', 'dns'])
    expect(reading.findings[0]?.value.status).toBe('unknown')
  })

  test('the finding geo joins the languages, currencies and places of all pages', async () => {
    const root =
      httpCapture(`<html lang="en-GB"><link rel=alternate hreflang=de-AT href=/de><p>Win £500 or 20 zł.
      TRY 100 free spins, up to $50</p><script type=application/ld+json>
      {"@type":"Casino","currenciesAccepted":"EUR, USD",
      "areaServed":["IE",{"@type":"Country","name":"Nowhere"}]}</script>`)
    const page = httpCapture('<html lang=fi><p>Talleta 500 SEK. Restricted countries: US, FR.', {
      purpose: 'page',
      url: 'https://luckyotter.example/fi',
    })
    expect(await values('geo', root, page)).toEqual([
      {
        languages: ['en', 'de', 'fi'],
        currencies: ['EUR', 'USD', 'GBP', 'PLN', 'SEK'],
        geo_hints: ['GB', 'AT', 'IE'],
      },
    ])
  })

  test('affiliate programs are found by links with program words or hosts', async () => {
    const root = httpCapture(`<p>Hi<a href="/affiliates?utm_source=x#top">Affiliates</a>
      <a href="https://partners.otter-group.example/">Become one</a>
      <a href="https://www.partners.example/">x</a>`)
    expect(await values('affiliate_programs', root)).toEqual([
      { program_url: 'https://luckyotter.example/affiliates' },
      { program_url: 'https://partners.otter-group.example/' },
    ])
  })

  test('related domains exclude suppliers and social networks', async () => {
    const root = httpCapture(
      `<p>Hi<link rel=alternate hreflang=fi href="https://luckyotter-fi.example/"><link rel=canonical
      href="https://luckyottercasino.example/"><a href="https://lucky-otter.test/">UK</a><a
      href="https://www.facebook.com/luckyotter">f</a><a href="https://visa.com/">v</a>
      <a href="https://other.example">o</a>`,
      { certificate: certificate(['luckyotter.example', '*.otter-cert.example', 'sni.cloudflaressl.com']) },
    )
    expect(await values('related_domains', root)).toEqual([
      { related_domain_normalized: 'luckyottercasino.example', relationship: 'canonical' },
      { related_domain_normalized: 'luckyotter-fi.example', relationship: 'hreflang' },
      { related_domain_normalized: 'lucky-otter.test', relationship: 'shared_brand' },
      { related_domain_normalized: 'otter-cert.example', relationship: 'certificate' },
    ])
  })

  test('a certificate that names many sites gives no related domains', async () => {
    const names = ['luckyotter.example', ...Array.from({ length: 10 }, (_, n) => `site${n}.example`)]
    expect(
      await values('related_domains', httpCapture('<p>Hi', { certificate: certificate(names) })),
    ).toEqual([])
  })

  test('a redirect to another domain gives a related domain, and no finding of the page', async () => {
    const { findings } = await read(httpCapture(skrill, { finalUrl: 'https://other.example/' }))
    expect(findings.map(({ section, valueKey }) => `${section} ${valueKey}`.trim())).toEqual([
      'web_presence',
      'launch',
      'dns',
      'related_domains other.example',
    ])
  })

  test('logos are listed with the likeliest first', async () => {
    const root = httpCapture(`<link rel=icon href=/f.ico><link rel=apple-touch-icon href=/a.png><p>Hi
      <header><img src=/flag.png><img src=/logo.svg></header><script type=application/ld+json>
      {"@type":"Organization","logo":{"@type":"ImageObject","url":"https://cdn.example/l.png"}}</script>`)
    expect(await values('logo', root)).toEqual([
      { url: 'https://cdn.example/l.png', kind: 'json_ld' },
      { url: 'https://luckyotter.example/logo.svg', kind: 'header' },
      { url: 'https://luckyotter.example/a.png', kind: 'icon' },
      { url: 'https://luckyotter.example/f.ico', kind: 'icon' },
    ])
  })

  test('contacts are addresses of roles at the site, never of persons or of another site', async () => {
    const root = httpCapture(`<p>Write to Support.DE@luckyotter.example or jane.doe@luckyotter.example,
      support@other.example, jane@luckyotter.example.</p>
      <a href="mailto:info@mail.luckyotter.example?subject=x">Mail</a>`)
    expect(await values('public_contacts', root)).toEqual([
      { type: 'email', value: 'info@mail.luckyotter.example', source: 'website' },
      { type: 'email', value: 'support.de@luckyotter.example', source: 'website' },
    ])
  })

  test('the most detailed of equal legal claims is stored, with its sentence as the snippet', async () => {
    const root =
      httpCapture(`<p>Hi <a href="/imprint">Imprint</a><footer>Lucky Otter is operated by Otter Play
      Limited.</footer>`)
    const imprint = httpCapture(
      '<p>This site is operated by Otter Play Limited, company registration number C 91200.',
      { purpose: 'page', url: 'https://luckyotter.example/imprint' },
    )
    const { findings } = await read(root, imprint)
    const claims = findings.filter(({ section }) => section === 'legal_claims')
    expect(claims).toMatchObject([
      {
        value: {
          claim_type: 'operator',
          claimed_name: 'Otter Play Limited',
          company_registration_number: 'C 91200',
        },
        capture: 2,
      },
    ])
    for (const { value, snippet } of claims) expect(value.evidence_text).toBe(snippet)
  })

  test('characters that PostgreSQL cannot store are replaced in findings', async () => {
    const root = httpCapture(`<p>Hi<script type=application/ld+json>{"@type":"Organization",
      "url":"https://luckyotter.example/","legalName":"Otter Play Limited \\u0000\\ud800"}</script>`)
    const { findings } = await read(root)
    const text = JSON.stringify(findings)
    expect(findings.map(({ section }) => section)).toContain('legal_claims')
    expect(text).not.toContain('\\u0000')
    expect(text).not.toContain('\\ud800')
  })
})

test('the registration is read from the registry’s answer about this domain', async () => {
  const answer = {
    ldhName: 'luckyotter.example',
    events: [{ eventAction: 'registration', eventDate: '2020-01-02' }],
  }
  const rdap = httpCapture(JSON.stringify(answer), {
    kind: 'rdap',
    purpose: 'rdap',
    url: 'https://rdap.example/domain/luckyotter.example',
  })
  expect(await values('registration', rdap)).toMatchObject([{ registered_at: '2020-01-02T00:00:00.000Z' }])
})

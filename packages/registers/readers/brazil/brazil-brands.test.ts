import { fileOfBytes } from '@baize/tables'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { fixture, gather, rejectTexts } from '../../test/gather.ts'
import { readBrazilianBrands } from './read-brands.ts'

const place = (name: string) => new URL(`fixtures/${name}`, import.meta.url)
const read = (content: string) => gather(readBrazilianBrands([fileOfBytes('list', content)]))
const mirror = await gather(readBrazilianBrands([fixture(place('mirror.json'))]))
const spreadsheet = await gather(readBrazilianBrands([fixture(place('spreadsheet.csv'))]))

type List = typeof mirror
const holders = (list: List) => list.authorisation.map(row => [row.domain, row.licenseKey, row.licenseeKey])

describe('a mirror that copied companies downward', () => {
  test('the holder of a site is proven only if no company can be missing between two rows', () => {
    expect(holders(mirror)).toEqual([
      ['carpa.example', '0004/2024', '20000002000102'],
      ['cisne.example', '0005/2024', '30000003000103'],
      ['pato.example', '0005/2024', '30000003000103'],
      ['lontra.example', null, null],
      ['garca.example', null, null],
      ['pardal.example', null, null],
      ['peru1.example', null, null],
      ['peru2.example', null, null],
      ['peru3.example', null, null],
      ['rola.example', null, null],
    ])
    expect(mirror.authorisation.every(row => row.counts && row.status === null)).toBe(true)
  })

  test('every named company is a licensee with only its proven brands', () => {
    expect(mirror.licensee.map(row => [row.legalName, row.tradingNames, row.registrationNumber])).toEqual([
      ['LONTRA FELIZ LTDA', [], '10.000.001/0001-01'],
      ['CARPA DOURADA S.A.', ['CARPA'], '20.000.002/0001-02'],
      ['CISNE AZUL LTDA', ['CISNE', 'PATO'], '30.000.003/0001-03'],
      ['GALO MANSO LTDA', ['GALO'], '50.000.005/0001-05'],
      ['PERU BRANCO LTDA', [], '60.000.006/0001-06'],
      ['POMBO CINZA LTDA', [], '70.000.007/0001-07'],
    ])
    expect(new Set(mirror.licensee.map(row => row.country))).toEqual(new Set(['BR']))
    expect(mirror.license.map(row => row.licenseNumber)).toEqual(
      ['0001', '0004', '0005', '0007', '0008', '0009'].map(number => `${number}/2024`),
    )
  })

  test('a repeated domain keeps its holder, and unusable rows are rejected or reported', () => {
    expect(rejectTexts(mirror.reject)).toEqual([
      'undecided GALO a definir',
      'duplicate pato.example',
      'no_dot pombo',
    ])
    expect(mirror.notice.map(each => `${each.notice}: ${each.published}`)).toEqual([
      "read in a mirror's form: mirror.json",
      'a company without a CNPJ or a requirement: PARDAL VERDE LTDA sem CNPJ 0006/2024',
    ])
  })

  test('a file of brands in another order proves no holder, and names the same companies', async () => {
    const row = (number: string) => ({
      requirement_number_year: `${number}/2024`,
      fiscal_name: `Company ${number}`,
      document: `${number}0000/0001-01`,
      brand: number,
      domain: `b${number}.example`,
    })
    const inOrder = await read(JSON.stringify(['0001', '0002', '0003'].map(row)))
    const shuffled = await read(JSON.stringify(['0002', '0003', '0001'].map(row)))
    expect(holders(inOrder).filter(([, , holder]) => holder !== null)).toHaveLength(2)
    expect(holders(shuffled).filter(([, , holder]) => holder !== null)).toHaveLength(0)
    const keys = (list: List) => [...list.license, ...list.licensee].map(each => each.recordKey).toSorted()
    expect(keys(shuffled)).toEqual(keys(inOrder))
  })
})

describe("the Ministry's spreadsheet", () => {
  test('rows below a company are its brands, at most three for each requirement', () => {
    expect(holders(spreadsheet)).toEqual([
      ['lontra.example', '0001/2024', '10000001000101'],
      ['garca.example', '0001/2024', '10000001000101'],
      ['raposa.example', '0001/2024', '10000001000101'],
      ['carpa.example', '0004/2024', '20000002000102'],
      ['pato.example', '0005/2024', '20000002000102'],
      ['cisne.example', '0006/2024', '30000003000103'],
      ['peru1.example', null, '70000007000107'],
      ['peru2.example', null, '70000007000107'],
      ['peru3.example', null, '70000007000107'],
      ['peru4.example', null, '70000007000107'],
      ['galo.example', null, null],
      ['peru.example', null, null],
      ['pombo.example', null, null],
      ['pardal.example', null, null],
      ['sabia.example', null, null],
    ])
  })

  test('a Brazilian license has the role operator and the day of its ordinance', () => {
    expect(spreadsheet.license[0]).toEqual({
      record: 'license',
      recordKey: '0001/2024',
      licenseNumber: '0001/2024',
      licenseType: null,
      status: null,
      licenseeKey: '10000001000101',
      issuedAt: '2026-03-23T00:00:00.000Z',
      expiresAt: null,
      sourceUrl: null,
      role: 'operator',
    })
    expect(spreadsheet.license.map(row => row.issuedAt?.slice(0, 10))).toEqual([
      '2026-03-23',
      undefined,
      '2026-01-01',
      '2026-05-05',
      undefined,
      undefined,
    ])
  })

  test('a company with two requirements is one licensee with two licenses', () => {
    const rows = spreadsheet.licensee.map(row => [row.legalName, row.tradingNames])
    expect(rows).toContainEqual(['CARPA DOURADA S.A.', ['CARPA', 'PATO', 'GANSO']])
    expect(rows).toContainEqual(['PERU BRANCO LTDA', ['PERU 1', 'PERU 2', 'PERU 3', 'PERU 4']])
    expect(rows).toHaveLength(5)
    const licenses = spreadsheet.license.filter(row => row.licenseeKey === '70000007000107')
    expect(licenses.map(row => row.licenseNumber)).toEqual(['0008/2024', '0009/2024'])
  })

  test('brands without a domain, remarks and a requirement claimed twice give no records', () => {
    expect(rejectTexts(spreadsheet.reject)).toEqual(['undecided GANSO a definir', 'duplicate lontra.example'])
    expect(spreadsheet.notice.map(each => `${each.notice}: ${each.published}`)).toEqual([
      'values below no header, not read: 1',
      'a company without a CNPJ or a requirement: PARDAL VERDE LTDA  0007/2024',
      'a requirement of two companies: 0001/2024 GALO MANSO LTDA',
    ])
  })

  test("the Ministry's spreadsheet and the mirror agree on proven holders", () => {
    const carp = (list: List) => ({
      site: list.authorisation.find(row => row.domain === 'carpa.example')?.recordKey,
      licensee: list.licensee.find(row => row.legalName === 'CARPA DOURADA S.A.')?.recordKey,
      license: list.license.find(row => row.licenseNumber === '0004/2024')?.recordKey,
    })
    expect(carp(mirror)).toEqual({ site: 'carpa.example', licensee: '20000002000102', license: '0004/2024' })
    expect(carp(spreadsheet)).toEqual(carp(mirror))
  })
})

test('a copy with lost cells and rows never gives a brand to another company', async () => {
  const company = fc.record({
    brands: fc.integer({ min: 1, max: 3 }),
    losesCells: fc.boolean(),
    losesRows: fc.integer({ min: 0, max: 2 }),
  })
  await fc.assert(
    fc.asyncProperty(fc.array(company, { minLength: 1 }), async companies => {
      let above: object | undefined
      const truth = new Map<string, { requirement: string; cnpj: string }>()
      const rows: object[] = []
      for (const [index, { brands, losesCells, losesRows }] of companies.entries()) {
        const requirement = `${String(index + 1).padStart(4, '0')}/2024`
        const cnpj = `${String(index).padStart(8, '0')}/0001-01`
        // The mirror copies cells of the first row down before rows are removed.
        if (!losesCells)
          above = { requirement_number_year: requirement, fiscal_name: `Company ${index}`, document: cnpj }
        for (let brand = losesRows; brand < brands && above !== undefined; brand += 1) {
          const domain = `b${index}x${brand}.example`
          truth.set(domain, { requirement, cnpj: cnpj.replaceAll(/\W/g, '') })
          rows.push({ ...above, brand: domain, domain })
        }
      }
      if (rows.length === 0) return
      const { authorisation } = await read(JSON.stringify(rows))
      expect(authorisation.map(row => row.domain).toSorted()).toEqual([...truth.keys()].toSorted())
      for (const { domain, licenseeKey, licenseKey } of authorisation) {
        expect([null, truth.get(domain)?.cnpj]).toContain(licenseeKey)
        expect([null, truth.get(domain)?.requirement]).toContain(licenseKey)
      }
    }),
    { numRuns: 200 },
  )
})

test('the order of companies with one number or name changes no record', async () => {
  const row = (requirement: string, company: string, cnpj: string) =>
    `SPA/MF nº 1, de ${cnpj.at(-1)} de maio de 2026;${company};${cnpj};${company};${company}.example;${requirement}`
  const rows = [
    row('0001/2024', 'RAPOSA', '20.000.002/0001-02'),
    row('0001/2024', 'LONTRA', '10.000.001/0001-01'),
    row('0003/2024', 'GARCA LTDA', '30.000.003/0001-03'),
    row('0003/2024', 'GARCA S.A.', '30.000.003/0001-03'),
  ]
  const header =
    'Portaria de autorização;Denominação social;CNPJ;Marcas;Domínios;Número e ano do requerimento'
  const [one, other] = await Promise.all(
    [rows, rows.toReversed()].map(async order => {
      const { licensee, license, authorisation } = await read([header, ...order].join('\n'))
      return {
        names: licensee.map(each => each.legalName).toSorted(),
        licenses: license.toSorted((a, b) => (a.recordKey < b.recordKey ? -1 : 1)),
        holders: authorisation.map(each => `${each.domain} ${each.licenseKey}`).toSorted(),
      }
    }),
  )
  expect(one?.names).toEqual(['GARCA LTDA', 'LONTRA', 'RAPOSA'])
  expect(one?.licenses.map(each => each.licenseeKey)).toEqual(['10000001000101', '30000003000103'])
  expect(other).toEqual(one)
})

describe('files that are neither the spreadsheet nor the mirror', () => {
  test.each([
    ['another table', 'Brand;Owner\na;b\n', /expected the columns \[Denominação social da empresa \| CNPJ/],
    ['JSON of other members', '[{"brand": "x"}]', /expected the members \[requirement_number_year/],
    ['JSON cut off', '[{"brand": "x"', /not complete JSON/],
    ['nothing', '', /is empty/],
  ])('a file of other brands is refused: %s', async (_what, content, message) => {
    await expect(read(content)).rejects.toThrow(message)
  })
})

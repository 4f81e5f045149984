import type { Stream } from '../../stream.ts'
import { guardFacts } from '../guard-facts.ts'
import { marketFacts } from '../market-facts.ts'
import { readBrazilianBrands } from './read-brands.ts'

const page =
  'https://www.gov.br/fazenda/pt-br/composicao/orgaos/secretaria-de-premios-e-apostas/' +
  'transparencia-ativa-processos-de-autorizacao-de-apostas-de-quota-fixa/empresas-autorizadas'

export const brazilBrands: Stream = {
  key: 'brazil.brands',
  ...marketFacts('brazil'),
  covers: ['register'],
  officialUrl: page,
  official: {
    files: [{ url: page, resolve: { by: 'newest_link', text: 'Baixar Arquivo Excel' } }],
    language: 'pt-BR',
    layout: 'described',
    layoutRecordedAt: null,
    columns: [
      '',
      'PORTARIA DE AUTORIZAÇÃO',
      'DENOMINAÇÃO SOCIAL DA EMPRESA',
      'CNPJ',
      'MARCAS',
      'DOMÍNIOS',
      'NÚMERO E ANO DO REQUERIMENTO',
    ],
    terms: null,
    sources: {
      address: 'public code that read the page in September 2026; other links of the page lead nowhere',
      layout: 'public code that reads the file',
      cadence: 'dates of its copies in public repositories',
      rows: 'a public copy of the first list, and a sample',
      terms: null,
    },
  },
  format:
    'XLSX or CSV (UTF-8, semicolon), a title above the header, companies on the first row of theirs ' +
    '(also: JSON of a mirror)',
  cadence: { words: 'irregular, about weekly', hours: 7 * 24 },
  // Dates are those of ordinances. Every listed company may accept bets, so each is an operator.
  publishes: {
    licenses: true,
    holders: true,
    statuses: false,
    revoked: false,
    dates: true,
    domains: true,
    roles: true,
  },
  makesMarketEntries: true,
  identity:
    'a licensee by its CNPJ; a license by the number and year of its requirement; a domain by its host',
  // A sample has 39 brands of 12 companies with a license each; the first list had 139 brands of 66.
  // The sample is JSON, whose last line has no line break.
  ...guardFacts({ rowsLeast: 63, rowsMost: 271, endsWithLineBreak: false }),
  sourceClaim: 'license',
  qualification:
    'Companies authorised to take fixed-odds bets, with their brands and domains. ' +
    'A domain is always that of a company on the list; whose it is, is given where the file proves it, ' +
    'and is no news of its own. A license is ' +
    'known by the number of its requirement; the list gives no status, and removes by leaving out.',
  sourceIdentity: 'Secretaria de Prêmios e Apostas: planilha de autorizações',
  parserVersion: 3,
  infersHolders: true,
  read: readBrazilianBrands,
}

import { Readable } from 'node:stream'
import { strToU8, zipSync } from 'fflate'
import { Failure } from '../../core/failure.ts'
import { closedObject } from '../../core/schema.ts'
import { Attachment, Moved } from '../../core/session-operation.ts'
import { type CsvCell, csvText } from '../csv-text.ts'
import { domainInput } from '../inputs.ts'
import { publicKeys } from '../receipts/index.ts'
import { type AnswerOf, defineSessionOperation } from '../session-operation.ts'
import { lookUpRoles } from './buy.ts'
import { showDomain } from './show-domain.ts'

const query = closedObject({ domain: domainInput('A URL or host.') })
const path = '/dashboard/dossier'

export const showDossier = defineSessionOperation({
  name: 'show_dossier',
  method: 'GET',
  path,
  access: lookUpRoles,
  summary: 'The verdict of a site that the account bought, as one page to print',
  query,
  failures: showDomain.failures,
  async answer(context, input) {
    const shown = await showDomain.answer(context, input)
    if (!(shown instanceof Moved)) return shown
    return new Moved(`${path}?domain=${shown.path.split('/').at(-1)}`)
  },
})
export type Dossier = Exclude<AnswerOf<typeof showDossier>, Moved>

export const downloadEvidence = defineSessionOperation({
  name: 'download_evidence',
  method: 'GET',
  path: `${path}/evidence`,
  access: lookUpRoles,
  summary: 'The files that prove a bought verdict, as a zip',
  query,
  failures: ['invalid_domain', 'not_found'],
  async answer(context, input) {
    const shown = await showDomain.answer(context, input)
    if (shown instanceof Moved || shown.bought === null)
      throw new Failure('not_found', { message: 'Nothing of this site was bought in the last 7 days.' })
    const { bought, domain } = shown
    const { receipt = '', ...data } = bought.response
    const files = {
      'answer.json': JSON.stringify({ data }, null, 2),
      'receipt.jws': receipt,
      'jwks.json': JSON.stringify(await publicKeys(context.world), null, 2),
      'rows.csv': rowsOf(shown),
      'README.txt': readme(domain, bought.bought_at),
    }
    const zip = zipSync(
      Object.fromEntries(Object.entries(files).map(([name, text]) => [name, strToU8(text)])),
    )
    const fileName = `evidence-${domain}-${bought.bought_at.slice(0, 10)}.zip`
    return new Attachment({
      fileName,
      contentType: 'application/zip',
      stream: Readable.from([Buffer.from(zip)]),
    })
  },
})

function rowsOf({ bought, sources }: Dossier): string {
  const { licensed_by = [], blocked_by = [], mentioned_by = [] } = bought?.response ?? {}
  const streamsOf = (market: string, kind: string) =>
    sources.filter(each => each.market === market && each.kind.includes(kind))
  const row = (says: string, kind: string, market: string, cells: CsvCell[]): CsvCell[] => {
    const streams = streamsOf(market, kind)
    const read = streams.map(({ last_snapshot_at: at }) => at ?? '').join(' ')
    return [says, market, ...cells, streams.map(({ stream }) => stream).join(' '), read]
  }
  return csvText([
    ['says', 'market', 'published', 'first_listed_at', 'sources', 'sources_read_at'],
    ...licensed_by.map(each => row('licenses', 'register', each.geo, [each.license_number, null])),
    ...blocked_by.map(each => row('blocks', 'blocklist', each.geo, [each.listed_as, each.first_listed_at])),
    ...mentioned_by.map(each =>
      row('mentions', 'blocklist', each.geo, [each.listed_as, each.first_listed_at]),
    ),
  ])
}

const readme = (domain: string, at: string) => `Evidence of the verdict of ${domain}, answered at ${at}.

answer.json   the answer as it was given
receipt.jws   a signed statement of it: a compact JWS (RFC 7515), EdDSA
jwks.json     the public keys of the service, as they were at the download
rows.csv      the rows of registers behind the verdict, as published

To verify without the service:
1. Verify the signature of receipt.jws with the key of jwks.json that has its kid and no "revoked".
   Every JOSE library does, for example jose in JavaScript: compactVerify and createLocalJWKSet.
2. Compare answer_sha256 in the receipt with the SHA-256 of "data" of answer.json in the form of RFC 8785.
Or: npx baize-api receipt receipt.jws --jwks jwks.json --answer answer.json

A receipt states what was answered, not what is true.
`

import { readFileSync } from 'node:fs'
import type { ServerResponse } from 'node:http'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import type { SiteResponse } from './scenario.ts'

const pages = join(import.meta.dirname, 'pages')
const dripMs = 50
const bombMemberBytes = 4_000_000

/** Answers as the scenario defines. `domain` replaces DOMAIN in pages. */
export function sendResponse(response: ServerResponse, answer: SiteResponse, domain: string): void {
  if (answer.hangs === true) return
  if (answer.delay_ms !== undefined) {
    const { delay_ms, ...later } = answer
    setTimeout(() => sendResponse(response, later, domain), delay_ms)
    return
  }
  const { redirect } = answer
  const headers = {
    'content-type': answer.json === undefined ? 'text/html; charset=utf-8' : 'application/rdap+json',
    ...(redirect === undefined ? {} : { location: redirect }),
    ...(answer.unpacks_to === undefined ? {} : { 'content-encoding': 'gzip' }),
    ...answer.headers,
  }
  response.writeHead(answer.status ?? (redirect === undefined ? 200 : 302), headers)
  if (answer.drips === true) {
    const timer = setInterval(() => response.write(' '), dripMs)
    response.on('close', () => clearInterval(timer))
    return
  }
  const body = bodyOf(answer, domain)
  if (answer.cut === true) response.write(body.subarray(0, body.byteLength / 2), () => response.destroy())
  else response.end(body)
}

function bodyOf(answer: SiteResponse, domain: string): Buffer {
  if (answer.page !== undefined)
    return Buffer.from(readFileSync(join(pages, `${answer.page}.html`), 'utf8').replaceAll('DOMAIN', domain))
  if (answer.base64 !== undefined) return Buffer.from(answer.base64, 'base64')
  if (answer.bytes !== undefined) return Buffer.alloc(answer.bytes, 'otter ')
  if (answer.unpacks_to !== undefined) return bomb(answer.unpacks_to)
  if (answer.json !== undefined) return Buffer.from(JSON.stringify(answer.json))
  return Buffer.from(answer.html ?? answer.text ?? '')
}

/** Returns a gzip of many members, because packing all bytes as one would block the test. */
function bomb(bytes: number): Buffer {
  const member = gzipSync(Buffer.alloc(bombMemberBytes, 'otter '))
  return Buffer.concat(Array.from({ length: Math.ceil(bytes / bombMemberBytes) }, () => member))
}

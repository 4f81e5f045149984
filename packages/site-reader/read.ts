#!/usr/bin/env node
// Prints the findings of a page as JSON: `read-page PAGE URL [--licensed]`. PAGE is an HTML file, or `-`
// for standard input. URL is where it was fetched. --licensed means that the operator has a license for the
// site.
import { readFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { readDomain } from '@baize/names'
import { type Capture, readCaptures } from './index.ts'

const { values, positionals } = parseArgs({
  options: { licensed: { type: 'boolean', default: false } },
  allowPositionals: true,
})
const [file, url = ''] = positionals
const site = readDomain(URL.parse(url)?.hostname ?? '')

if (file === undefined || !site.ok) {
  console.error('Usage: read-page PAGE URL [--licensed]')
  process.exitCode = 2
} else {
  const root: Capture = {
    kind: 'http',
    purpose: 'root',
    url,
    finalUrl: url,
    status: 200,
    headers: {},
    body: readFileSync(file === '-' ? 0 : file),
    truncated: false,
    failure: null,
    redirectChain: [url],
    certificate: null,
    seenAt: new Date(),
  }
  const { findings, outcome } = await readCaptures([root], {
    domain: site.domain,
    licensed: values.licensed,
    earlierLive: false,
  })
  console.log(JSON.stringify({ domain: site.domain, outcome, findings }, null, 2))
}

import { readFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openFileStore } from '@baize/files'
import type pg from 'pg'
import { catalogue } from '../../src/catalogue.ts'
import { createLogger } from '../../src/config/logger.ts'
import { demoKey } from '../../src/core/api-key.ts'
import { successOf } from '../../src/core/operation.ts'
import { templatePath } from '../../src/http/answer/demo-templates.ts'
import { openService } from '../../src/http/open-service.ts'
import { buildServer } from '../../src/http/server.ts'
import { loadDemo } from '../../src/instance/load-demo.ts'
import { withClient } from '../../test/harness/client.ts'

/** The time of the example requests is fixed, because answers contain ages. */
const exampleMoment = new Date('2026-11-01T12:00:00Z')

export const operationExamples = [
  { operation: 'resolve_domain', path: 'src/features/domains/resolve-domain.example.json' },
  { operation: 'resolve_domains', path: 'src/features/domains/resolve-domains.example.json' },
  { operation: 'search_domains', path: 'src/features/domains/search-domains.example.json' },
  { operation: 'create_enrichment', path: 'src/features/enrichments/create-enrichment.example.json' },
  { operation: 'show_enrichment', path: 'src/features/enrichments/show-enrichment.example.json' },
  { operation: 'create_lobby_run', path: 'src/features/lobbies/create-lobby-run.example.json' },
  { operation: 'show_lobby_run', path: 'src/features/lobbies/show-lobby-run.example.json' },
  { operation: 'list_lobby_runs', path: 'src/features/lobbies/list-lobby-runs.example.json' },
  { operation: 'preview_companies', path: 'src/features/companies/search/preview-companies.example.json' },
  { operation: 'search_companies', path: 'src/features/companies/search/search-companies.example.json' },
  { operation: 'resolve_company', path: 'src/features/companies/resolve/resolve-company.example.json' },
  { operation: 'list_people', path: 'src/features/people/list-people.example.json' },
  { operation: 'list_roles', path: 'src/features/people/list-roles.example.json' },
  { operation: 'resolve_license', path: 'src/features/licenses/resolve-license.example.json' },
  { operation: 'preview_licenses', path: 'src/features/licenses/search/preview-licenses.example.json' },
  { operation: 'search_licenses', path: 'src/features/licenses/search/search-licenses.example.json' },
  { operation: 'list_market_entries', path: 'src/features/signals/list-market-entries.example.json' },
  { operation: 'list_platform_sites', path: 'src/features/signals/list-platform-sites.example.json' },
  {
    operation: 'list_verdict_changes',
    path: 'src/features/verdict-changes/list-verdict-changes.example.json',
  },
  { operation: 'list_register_changes', path: 'src/features/signals/list-register-changes.example.json' },
  { operation: 'list_portfolios', path: 'src/features/portfolios/list-portfolios.example.json' },
  { operation: 'get_portfolio', path: 'src/features/portfolios/get-portfolio.example.json' },
  {
    operation: 'list_portfolio_members',
    path: 'src/features/portfolios/list-portfolio-members.example.json',
  },
  {
    operation: 'list_portfolio_changes',
    path: 'src/features/portfolios/list-portfolio-changes.example.json',
  },
  { operation: 'search_logos', path: 'src/features/logos/search-logos.example.json' },
  { operation: 'get_coverage', path: 'src/features/coverage/get-coverage.example.json' },
  { operation: 'create_export', path: 'src/features/exports/create-export.example.json' },
  { operation: 'show_export', path: 'src/features/exports/show-export.example.json' },
  { operation: 'show_account', path: 'src/features/account/show-account.example.json' },
] as const

export async function exampleOf(path: string): Promise<unknown> {
  return JSON.parse(await readFile(new URL(`../../${path}`, import.meta.url), 'utf8'))
}

export async function drawExample(name: string, connection: pg.ClientConfig): Promise<string> {
  const operation = catalogue.find(each => each.name === name)
  const template = operation?.demo[0]
  if (operation === undefined || template === undefined) throw new Error(`${name} has no demo template`)
  const service = openService({
    connection,
    settings: {
      baseUrl: 'http://localhost:8080',
      logoUrl: 'http://localhost:8080/logos',
      imageUrl: 'http://localhost:8080/images',
      throttlePerMinute: 0,
      trustProxy: null,
      observation: { isOn: true, waitSeconds: 240 },
    },
    files: openFileStore({ kind: 'folder', path: join(tmpdir(), 'baize-examples') }),
    log: createLogger('silent'),
    now: () => exampleMoment,
  })
  const server = await buildServer(service, { eventLoopDelayMsMax: 0 })
  try {
    await loadDemo(service.demo, service.files, exampleMoment)
    await keepCursorSecret(connection)
    const response = await server.inject({
      method: operation.method,
      url: templatePath(operation.path, template),
      headers: { 'x-api-key': demoKey },
      ...(operation.body === undefined ? {} : { payload: template.body ?? {} }),
    })
    if (response.statusCode !== successOf(operation).status)
      throw new Error(`${name}: ${response.statusCode} ${response.body}`)
    return `${JSON.stringify(response.json(), null, 2)}\n`
  } finally {
    await server.close()
    await service.close()
  }
}

/** Stores a constant secret, because the installation’s secret signs the cursors in examples. */
async function keepCursorSecret(connection: pg.ClientConfig): Promise<void> {
  await withClient(connection, client =>
    client.query(`
      insert into demo.signing_secrets (purpose, secret)
      values ('cursor', sha256('the secret of the documented examples'))
      on conflict (purpose) do nothing`),
  )
}

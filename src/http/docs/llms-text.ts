import type { PageFile } from './page-files.ts'

/** `/llms.txt` (llmstxt.org): what this is, and its pages as Markdown. */
export function llmsText(files: readonly PageFile[], baseUrl: string): string {
  const line = ({ path, title, summary }: PageFile) => `- [${title}](${baseUrl}/docs/${path}.md): ${summary}`
  const errors = files.filter(({ path }) => path.startsWith('errors/'))
  const pages = files.filter(page => !errors.includes(page))
  return `# Baize

> The data API of the gambling industry: who is licensed where, which sites are on a blocklist, who runs them, and what changed. Answers
> cost credits; the key \`client_demo\` answers from a small fictional world, free.

A miss is no finding: \`no_record\` means that no regulator record is stored, not that a site is unlicensed. Send an \`Idempotency-Key\` with paid
requests, and \`max_credits\` to bound their cost.

## Pages

${pages.map(line).join('\n')}

## Interfaces

- [API reference](${baseUrl}/docs.md): every operation with its parameters, its price and requests that work
- [OpenAPI](${baseUrl}/openapi.json): the same for programs
- [MCP](${baseUrl}/mcp): 12 tools for models, with the API key as Bearer token

## Optional

${errors.map(line).join('\n')}
`
}

import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import type { TestService } from './service.ts'

/** The two protocols: the stateless one of 2026-07-28, and the older one with sessions. */
export const eras = ['modern', 'legacy'] as const
export type Era = (typeof eras)[number]

export type AgentOptions = {
  key: string
  era: Era
  /** The value of the header `X-Baize-Budget`. */
  budget?: number | string
  /** Answers questions to the user. If absent, the client cannot ask its user. */
  answer?: (message: string) => { action: 'accept' | 'decline' | 'cancel'; content?: Record<string, never> }
  headers?: Record<string, string>
}

type ToolAnswer = {
  /** The JSON of the first text, which equals the structured content. */
  // biome-ignore lint/suspicious/noExplicitAny: a test reads what it asserts.
  data: any
  sentence: string
  isError: boolean
  meta: Record<string, unknown>
}

export type Agent = {
  client: Client
  transport: StreamableHTTPClientTransport
  call(tool: string, args?: Record<string, unknown>, meta?: Record<string, unknown>): Promise<ToolAnswer>
  close(): Promise<void>
}

/** Connects an agent to `/mcp` with the official client. */
export async function connectAgent({ url }: Pick<TestService, 'url'>, options: AgentOptions): Promise<Agent> {
  const { key, era, budget, answer, headers = {} } = options
  const transport = new StreamableHTTPClientTransport(new URL(`${url}/mcp`), {
    requestInit: {
      headers: {
        authorization: `Bearer ${key}`,
        ...(budget === undefined ? {} : { 'x-baize-budget': String(budget) }),
        ...headers,
      },
    },
  })
  const client = new Client(
    { name: 'test-agent', version: '9.8.7' },
    {
      capabilities: answer === undefined ? {} : { elicitation: { form: {} } },
      versionNegotiation: { mode: era === 'legacy' ? 'legacy' : { pin: '2026-07-28' } },
    },
  )
  if (answer !== undefined)
    client.setRequestHandler('elicitation/create', ({ params }) => answer(params.message))
  await client.connect(transport)

  async function call(name: string, args: Record<string, unknown> = {}, meta?: Record<string, unknown>) {
    const result = await client.callTool({
      name,
      arguments: args,
      ...(meta === undefined ? {} : { _meta: meta }),
    })
    const [json, sentence] = result.content as { text: string }[]
    return {
      data: JSON.parse(json?.text ?? 'null'),
      sentence: sentence?.text ?? '',
      isError: result.isError === true,
      meta: result._meta ?? {},
    }
  }
  return { client, transport, call, close: () => client.close() }
}

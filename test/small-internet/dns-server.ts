/** The name server of the small internet, over UDP and TCP. */
import { once } from 'node:events'
import dns2, { Packet } from 'dns2'
import type { NameAnswer, NameRecords } from './scenario.ts'

export type Query = { at: number; name: string; type: string }

type DnsServer = { port: number; queries: Query[]; close(): Promise<void> }
type Send = (response: Packet) => unknown

const types = ['A', 'AAAA', 'NS', 'MX'] as const
const typeNames = new Map<number, (typeof types)[number]>(types.map(name => [Packet.TYPE[name], name]))

/** Starts a name server with these names. Other names do not exist. */
export async function startDnsServer(names: ReadonlyMap<string, NameAnswer>): Promise<DnsServer> {
  const queries: Query[] = []
  const answer = (request: Packet, send: Send) => {
    const [question] = request.questions
    if (question === undefined) return
    const name = question.name.toLowerCase()
    const type = typeNames.get(question.type ?? 0)
    const isLater = queries.some(query => query.name === name && query.type === type)
    queries.push({ at: Date.now(), name, type: type ?? String(question.type) })
    const known = names.get(name) ?? 'nxdomain'
    if (known === 'silent') return
    const response = Packet.createResponseFromRequest(request)
    if (known === 'servfail') response.header.rcode = Packet.RCODE.SERVFAIL
    else if (known === 'nxdomain') response.header.rcode = Packet.RCODE.NXDOMAIN
    else if (type !== undefined) response.answers.push(...records(name, type, { ...known, isLater }))
    send(response)
  }
  const { udp, tcp, port } = await listen(answer)
  return {
    port,
    queries,
    close: async () => {
      await new Promise<void>(closed => udp.close(closed))
      await new Promise(closed => tcp.close(closed))
    },
  }
}

/** Limits the ports to try, because a port that is free for UDP may be in use for TCP. */
const portsTriedMax = 20

async function listen(answer: (request: Packet, send: Send) => void) {
  for (let tried = 1; ; tried += 1) {
    const udp = dns2.createUDPServer(answer)
    await udp.listen(0, '127.0.0.1')
    const { port } = udp.address()
    const tcp = dns2.createTCPServer(answer)
    try {
      await once(tcp.listen(port, '127.0.0.1'), 'listening')
      return { udp, tcp, port }
    } catch (error) {
      await new Promise<void>(closed => udp.close(closed))
      if (tried === portsTriedMax) throw error
    }
  }
}

function records(name: string, type: (typeof types)[number], known: NameRecords & { isLater: boolean }) {
  const of = { name, type: Packet.TYPE[type], class: Packet.CLASS.IN, ttl: 60 }
  const addresses = known.isLater && known.later !== undefined ? { A: known.later, AAAA: [] } : known
  switch (type) {
    case 'A':
    case 'AAAA':
      return (addresses[type] ?? []).map(address => new Packet.Resource({ ...of, address }))
    case 'NS':
      return (known.NS ?? []).map(ns => new Packet.Resource({ ...of, ns }))
    case 'MX':
      return (known.MX ?? []).map(exchange => new Packet.Resource({ ...of, exchange, priority: 10 }))
  }
}

import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'

export type Switch = {
  port: number
  /** Cuts all connections. New ones lead to the socket at this path. */
  turnTo(path: string): void
  /** Passes nothing on any more and accepts connections, like a server that lost its power or is frozen. */
  silence(): void
  close(): Promise<void>
}

/** Stands in front of database servers, as HAProxy does, and leads to one of them. */
export async function startSwitch(first: string): Promise<Switch> {
  let path = first
  const open = new Set<Socket>()
  let isSilent = false
  const cut = () => {
    for (const socket of open) socket.destroy()
  }
  const server = createServer(client => {
    if (isSilent) {
      open.add(client)
      client.on('error', () => {})
      return
    }
    const target = connect(path)
    for (const [one, other] of [
      [client, target],
      [target, client],
    ] as const) {
      open.add(one)
      one.on('error', () => {})
      one.on('close', () => {
        open.delete(one)
        other.destroy()
      })
      one.pipe(other)
    }
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    port: (server.address() as AddressInfo).port,
    turnTo: next => {
      path = next
      cut()
    },
    silence: () => {
      isSilent = true
      for (const socket of open) socket.unpipe().pause()
    },
    close: async () => {
      cut()
      server.close()
      await once(server, 'close')
    },
  }
}

import type { FastifyInstance } from 'fastify'

const sweepEveryMs = 50

/**
 * Closing finishes what is in flight. A connection that was busy when the closing began would stay open, idle, for the
 * whole keep-alive timeout: its answer says `Connection: close`, and one that slipped through is swept.
 */
export function drainOnClose(app: FastifyInstance): void {
  let sweep: NodeJS.Timeout | undefined
  app.addHook('preClose', async () => {
    sweep = setInterval(() => app.server.closeIdleConnections(), sweepEveryMs)
  })
  app.addHook('onSend', (_request, reply, _payload, done) => {
    if (sweep !== undefined) reply.header('connection', 'close')
    done()
  })
  app.addHook('onClose', async () => clearInterval(sweep))
}

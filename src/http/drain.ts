import type { FastifyInstance } from 'fastify'

const sweepEveryMs = 50

/**
 * Lets a closing server finish requests without waiting for the keep-alive timeout: responses say
 * `Connection: close`, and connections that become idle are closed every 50 ms.
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

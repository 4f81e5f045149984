import { readFileSync } from 'node:fs'
import Fastify from 'fastify'

// The limit: Fastify that answers the same bytes from memory.
const body = readFileSync(process.env.BENCH_BODY_FILE as string)
const app = Fastify()
app.get('/*', (_request, reply) => {
  reply.header('content-type', 'application/json; charset=utf-8').send(body)
})
await app.listen({ host: '127.0.0.1', port: Number(process.env.PORT) })

import type { FastifyInstance } from 'fastify'
import { assets } from '../../pages/index.ts'
import { staticContent } from '../docs/static-content.ts'

const forAYear = 'public, max-age=31536000, immutable'

export function mountAssets(app: FastifyInstance): void {
  for (const { path, type, bytes } of Object.values(assets))
    app.get(path, staticContent(bytes, type, forAYear))
}

import { hostname } from 'node:os'
import { authorityKeys, openProxy } from '@baize/outbound'
import { openRenderer, type Renderer, type RenderRequest } from '@baize/renderer'
import { userAgentOf } from '../config/program.ts'
import type { Settings } from '../config/settings.ts'
import { reportRenderer } from '../features/renderers/index.ts'
import type { TaskContext } from '../jobs/index.ts'

type RenderingSettings = Pick<Settings, 'network' | 'rendering' | 'baseUrl'>

/**
 * Opens the renderer of this process. Chromium starts with its first visit. `onChange` is called when it is
 * lost or found again.
 */
export function openPageRenderer(
  { network, rendering, baseUrl }: RenderingSettings,
  onChange = () => {},
): Renderer {
  return openRenderer({
    ...rendering,
    userAgentSuffix: userAgentOf(baseUrl),
    trustedKeys: authorityKeys(network),
    openProxy: limits => openProxy(network, limits),
    onChange,
  })
}

/** Registers leave a place for checks. */
export const asRun = (renderer: Renderer) => (request: Omit<RenderRequest, 'lane'>) =>
  renderer.render({ ...request, lane: 'run' })

/** Stores what the renderer of this process does, for `/v1/coverage`, metrics and `baize jobs`. */
export function reportRendering(renderer: Renderer, now: () => Date) {
  let warned = ''
  return async ({ world: { database }, log }: Pick<TaskContext, 'world' | 'log'>) => {
    // Someone may have mended it since, and no visit begins while this says that none would work.
    const state = renderer.state().state === 'unavailable' ? await renderer.probe() : renderer.state()
    const { lastFailure, renders, failed, killed, processes } = await renderer.counts()
    const counts = { renders, failed, killed, processes, last_failure: lastFailure }
    await reportRenderer(database, { worker: `${hostname()} ${process.pid}`, ...state, ...counts }, now())
    if (state.state === 'unavailable' && warned !== state.message)
      log.warn({ reason: state.reason, message: state.message }, 'pages are not rendered')
    warned = state.message ?? ''
  }
}

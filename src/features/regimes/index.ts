import { listRegimes } from './list-regimes.ts'

export { approveRegime, endRegime, enterRegime, type RegimeReport, withdrawRegime } from './enter-regime.ts'
export { type MarketsInForce, marketsInForce, marketsInForceAt, readInForce } from './markets-in-force.ts'
export { readRegimes, readStaffRegimes } from './regimes-store.ts'
export { type Regime, regime, regimeInForce } from './schemas.ts'
export { shipRegimes } from './ship-regimes.ts'

export const regimeOperations = [listRegimes]

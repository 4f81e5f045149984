import { exportSessionOperations } from './account-exports.ts'
import { createExport } from './create-export.ts'
import { downloadExport } from './download-export.ts'
import { showExport } from './show-export.ts'

export type { ExportList, PricedExport, ShownExport } from './account-exports.ts'
export { failExport } from './attempt.ts'
export { writeJobKey, writeTask } from './create-export.ts'
export { listUnfinishedExports } from './export-store.ts'
export { createExportName } from './schemas.ts'
export {
  listExportsForStaff,
  type StaffExport,
  showExportToStaff,
  verifyExports,
} from './staff-exports-store.ts'
export { expireExports, sweepExportFiles } from './sweep-exports.ts'
export { writeExport } from './write-export.ts'

export { exportSessionOperations }

export const exportOperations = [createExport, showExport, downloadExport]

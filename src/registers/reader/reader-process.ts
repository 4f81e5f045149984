/** The body of the process that parses files and pages of registers (read-apart.ts). */
import type { Reading } from '@baize/registers'
import { serveTasks } from '@baize/threads/process-body'
import { type ReaderTask, runReaderTask } from './run-reader-task.ts'

serveTasks<ReaderTask, Reading | string>(runReaderTask)

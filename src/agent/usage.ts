export { addUsage } from '../model/add-usage.ts'

import { Type } from '@sinclair/typebox'
import { nullable, oneOf } from '../protocol/common.ts'
import { json, problems, publicProblems } from './responses.ts'

const tags = ['operations']

const Health = Type.Object({ status: Type.Literal('ok') }, { title: 'Health' })

const Capability = Type.Object({
  name: Type.String(), available: Type.Boolean(), reason: nullable(Type.String({ description: 'Why not' }))
}, { title: 'Capability' })

const Ready = Type.Object({
  status: oneOf(['ready', 'not_ready']),
  reason: Type.Optional(nullable(Type.String({ description: 'Why not' }))),
  version: Type.Optional(Type.String()),
  capabilities: Type.Optional(Type.Array(Capability))
}, { title: 'Ready', description: 'Without a key only `status`' })

/** The contract of the routes that watch over the server. */
export const operationsSchemas = {
  health: {
    operationId: 'getHealth', tags, summary: 'Whether the process answers', description: 'Needs no key.', response: { 200: json('It does', Health), ...publicProblems() }
  },
  ready: {
    operationId: 'getReady',
    tags,
    summary: 'Whether the server takes work',
    description: 'Needs no key; with one that may `read` it says more.',
    response: { 200: json('It does', Ready), ...publicProblems(), 503: json('It does not', Ready) }
  },
  metrics: {
    operationId: 'getMetrics',
    tags,
    summary: 'Gauges in the Prometheus text format',
    response: { 200: { description: 'The gauges', content: { 'text/plain': { schema: Type.String() } } }, ...problems() }
  },
  openapiYaml: {
    operationId: 'getOpenapiYaml',
    tags,
    summary: 'This contract as YAML',
    response: { 200: { description: 'OpenAPI 3.1', content: { 'application/yaml': { schema: Type.String() } } }, ...publicProblems('not_found') }
  },
  openapiJson: {
    operationId: 'getOpenapiJson',
    tags,
    summary: 'This contract as JSON',
    response: { 200: { description: 'OpenAPI 3.1', content: { 'application/json': { schema: Type.Object({}) } } }, ...publicProblems('not_found') }
  }
}

/**
 * Names of OpenTelemetry's conventions for generative AI, in one place: they are still called
 * "development" there, and will move.
 *
 * @see https://opentelemetry.io/docs/specs/semconv/gen-ai/gen-ai-spans/
 */
export const genAi = {
  operation: 'gen_ai.operation.name',
  provider: 'gen_ai.provider.name',
  agent: 'gen_ai.agent.name',
  conversation: 'gen_ai.conversation.id',
  requestModel: 'gen_ai.request.model',
  responseModel: 'gen_ai.response.model',
  finishReasons: 'gen_ai.response.finish_reasons',
  inputTokens: 'gen_ai.usage.input_tokens',
  outputTokens: 'gen_ai.usage.output_tokens',
  cachedTokens: 'gen_ai.usage.cache_read.input_tokens',
  toolName: 'gen_ai.tool.name',
  toolType: 'gen_ai.tool.type',
  toolCall: 'gen_ai.tool.call.id',
  errorType: 'error.type',
} as const;

/** Values of `genAi.operation`. */
export const operations = {
  run: 'invoke_agent',
  request: 'chat',
  step: 'execute_tool',
} as const;

/** What the conventions have no name for. */
export const ownNames = {
  run: 'cuervo.run',
  command: 'cuervo.command',
  question: 'cuervo.question',
  round: 'cuervo.round',
  plugin: 'cuervo.plugin',
  digest: 'cuervo.plugin.sha256',
  call: 'cuervo.host_call',
  target: 'cuervo.target',
  outcome: 'cuervo.outcome',
  bytes: 'cuervo.bytes',
  usd: 'cuervo.usd',
  attempts: 'cuervo.attempts',
} as const;

/** As well as the name of a model says it: `srv/test` is of `srv`. */
export function providerOf(model: string): string {
  if (model.startsWith('claude')) return 'anthropic';
  return model.includes('/') ? (model.split('/')[0] ?? model) : 'cuervo';
}

{{- define "matchd.labels" -}}
app.kubernetes.io/name: matchd
app.kubernetes.io/instance: {{ .Release.Name }}
app.kubernetes.io/version: {{ .Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .Release.Service }}
{{- end }}
{{- define "matchd.selector" -}}
app.kubernetes.io/name: matchd
app.kubernetes.io/instance: {{ .Release.Name }}
{{- end }}
{{- define "matchd.natsSelector" -}}
app.kubernetes.io/name: matchd-nats
app.kubernetes.io/instance: {{ .Release.Name }}
{{- end }}
